import type { Text } from '@farlink/contract/kit/text.ts';
import { SelectBox } from '../../ui/native/select-box.tsx';
import { t } from '../chrome/lang.ts';
import type { TableProps } from './table-props.ts';

export const choosePage = ['选择本页', 'Select this page'] as const satisfies Text;

interface PageBoxProps {
  readonly chosen: NonNullable<TableProps['chosen']>;
  readonly rows: TableProps['list']['rows'];
}

/** Selects all rows of the page. */
export const PageBox = ({ chosen, rows }: PageBoxProps) => (
  <SelectBox label={t(choosePage)} share={chosen.share} onSet={(on) => chosen.set(rows, on)} isEmpty={rows.length === 0} />
);
