import type { Text } from '@farlink/contract/kit/text.ts';
import { ActButton } from '../../ui/native/act-button.tsx';
import { t } from '../chrome/lang.ts';
import type { Choosing } from './use-selection.ts';

const texts = {
  count: ['已选 {0} 条', '{0} selected'],
  offers: ['，工具栏有 {0} 项批量操作', ', {0} batch actions in the toolbar'],
  clear: ['清空', 'Clear'],
} as const satisfies Record<string, Text>;

interface SelectionBarProps {
  readonly chosen: Choosing;
  /** Number of batch actions in the toolbar. */
  readonly offered: number;
}

/** Number of selected rows, including other pages. Always mounted, so that a screen reader announces the change. */
export const SelectionBar = ({ chosen, offered }: SelectionBarProps) => {
  const count = chosen.rows.length;
  return (
    <span className="selection-bar" data-on={count > 0 || undefined}>
      <span role="status">
        {count > 0 && (
          <>
            {t(texts.count, count)}
            <span className="visually-hidden">{t(texts.offers, offered)}</span>
          </>
        )}
      </span>
      {count > 0 && <ActButton label={t(texts.clear)} of={t(texts.count, count)} onClick={chosen.clear} />}
    </span>
  );
};
