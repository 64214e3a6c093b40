import type { Field } from '@farlink/contract/kit/field.ts';
import type { AnyRow, Me, Resource } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { valueAt } from '../ui/format.ts';
import { SelectBox } from '../ui/select-box.tsx';
import type { Offer } from './action-state.ts';
import { Cell } from './cell.tsx';
import { type Column, isRight } from './columns.ts';
import { t } from './lang.ts';
import { fillRoute, pageAt } from './route.ts';
import { RowActions } from './row-actions.tsx';
import { nameOf } from './row-name.ts';
import { useMe } from './session.ts';
import type { Choosing } from './use-selection.ts';

const choose: Text = ['选择 {0}', 'Select {0}'];

/** Where a link leads that has a route of its own; nowhere for those who may not go there. */
const ownRoute = ({ to }: Field, row: AnyRow, me: Me) => {
  const target = to === undefined ? undefined : pageAt(to);
  return to !== undefined && target && mayOpen(target, me) ? fillRoute(to, row) : undefined;
};

interface DataRowProps {
  readonly row: AnyRow;
  readonly columns: readonly Column[];
  readonly resource: Resource;
  readonly offers: (row: AnyRow) => readonly Offer[];
  readonly act: (key: string, row: AnyRow) => void;
  readonly open: Offer | undefined;
  readonly reveal: ((id: number, field: string) => Promise<string>) | undefined;
  readonly chosen: Choosing | undefined;
  readonly hasActions: boolean;
}

/** One row by itself: where one of a hundred changes, the others are not drawn again. */
export const DataRow = ({ row, columns, resource, offers, act, open, reveal, chosen, hasActions }: DataRowProps) => {
  const me = useMe();
  const name = nameOf(resource, row);
  const isChosen = chosen?.has(row) === true;
  const to = open?.action.to;
  return (
    <tr data-chosen={isChosen || undefined}>
      {chosen && (
        <td className="select">
          <SelectBox label={t(choose, name)} share={isChosen ? 'all' : 'none'} onSet={(on) => chosen.set([row], on)} />
        </td>
      )}
      {columns.map(({ name: column, field }) => (
        <td key={column} className={isRight(field) ? 'num' : undefined}>
          <Cell
            field={field}
            value={valueAt(row, column)}
            href={field.to !== undefined ? ownRoute(field, row, me) : to === undefined ? undefined : fillRoute(to, row)}
            onOpen={open && field.to === undefined ? () => act(open.key, row) : undefined}
            reveal={reveal && (() => reveal(row.id, column))}
          />
        </td>
      ))}
      {hasActions && (
        <td className="pinned">
          <RowActions offers={offers(row)} act={(key) => act(key, row)} of={name} />
        </td>
      )}
    </tr>
  );
};
