import type { Resource } from '@farlink/contract/kit/resource.ts';
import { SelectBox } from '../../ui/native/select-box.tsx';
import { RowActions } from '../actions/row-actions.tsx';
import { t } from '../chrome/lang.ts';
import { type Column, isRight } from './columns.ts';
import { chooseRow, RowCell, type RowCellProps } from './row-cell.tsx';
import { rowName } from './row-label.ts';
import type { Choosing } from './use-selection.ts';

interface DataRowProps extends Omit<RowCellProps, 'column'> {
  readonly columns: readonly Column[];
  readonly resource: Resource;
  readonly chosen: Choosing | undefined;
  readonly hasActions: boolean;
  /** All actions in one menu, to save width. */
  readonly hasActionMenu: boolean;
}

/** One row as a component: a change of one row does not render the others again. */
export const DataRow = ({ columns, resource, chosen, hasActions, hasActionMenu, ...cell }: DataRowProps) => {
  const { row, offers, act } = cell;
  const name = rowName(resource, row);
  const isChosen = chosen?.has(row) === true;
  return (
    <tr data-chosen={isChosen || undefined}>
      {chosen && (
        <td className="select">
          <SelectBox label={t(chooseRow, name)} share={isChosen ? 'all' : 'none'} onSet={(on) => chosen.set([row], on)} />
        </td>
      )}
      {columns.map((column) => (
        <td
          key={column.name}
          data-kind={column.field.kind}
          data-no-truncate={column.field.noTruncate}
          className={isRight(column.field) ? 'num' : undefined}
        >
          <RowCell {...cell} column={column} />
        </td>
      ))}
      {hasActions && (
        <td className="pinned">
          <RowActions offers={offers(row)} act={(key) => act(key, row)} of={name} isMenu={hasActionMenu} />
        </td>
      )}
    </tr>
  );
};
