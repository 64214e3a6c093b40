import type { Text } from '@farlink/contract/kit/text.ts';
import { ActButton } from '../ui/act-button.tsx';
import { t } from './lang.ts';
import type { Choosing } from './use-selection.ts';

const count: Text = ['已选 {0} 条', '{0} selected'];
const clear: Text = ['清空', 'Clear'];

/** How many rows are chosen, on this page and on others. */
export const SelectionBar = ({ chosen }: { readonly chosen: Choosing }) => (
  <span className="selection-bar" role="status">
    {chosen.rows.length > 0 && (
      <>
        <span>{t(count, chosen.rows.length)}</span> <ActButton label={t(clear)} of={t(count, chosen.rows.length)} onClick={chosen.clear} />
      </>
    )}
  </span>
);
