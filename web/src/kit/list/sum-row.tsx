import type { Text } from '@farlink/contract/kit/text.ts';
import { t } from '../chrome/lang.ts';
import { Cell } from './cell.tsx';
import { type Column, isRight } from './columns.ts';

const total: Text = ['合计', 'Total'];
const meaning: Text = ['按当前筛选条件合计全部数据', 'Totals of all rows that match the filters'];

interface SumRowProps {
  readonly columns: readonly Column[];
  readonly sums: Readonly<Record<string, string>>;
  readonly isSelectable: boolean;
  readonly hasActions: boolean;
}

/** Sums of the columns over all pages, below the rows. */
export const SumRow = ({ columns, sums, isSelectable, hasActions }: SumRowProps) => {
  const free = columns.find((c) => !(c.name in sums))?.name;
  return (
    <tfoot>
      <tr>
        {isSelectable && <td className="select" />}
        {columns.map(({ name, field }) => (
          <td key={name} className={name === free ? 'total' : isRight(field) ? 'num' : undefined} data-tip={name in sums ? '' : undefined}>
            {name in sums && <Cell field={field} value={sums[name]} />}
            {name === free && <span data-tip={t(meaning)}>{t(total)}</span>}
          </td>
        ))}
        {hasActions && <td className="pinned" />}
      </tr>
    </tfoot>
  );
};
