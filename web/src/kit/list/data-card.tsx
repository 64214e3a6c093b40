import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { valueAt } from '../../ui/format.ts';
import { SelectBox } from '../../ui/native/select-box.tsx';
import { RowActions } from '../actions/row-actions.tsx';
import { t } from '../chrome/lang.ts';
import type { CardLayout } from './card-layout.ts';
import type { Column } from './columns.ts';
import { chooseRow, RowCell, type RowCellProps } from './row-cell.tsx';
import { rowName } from './row-label.ts';
import type { Choosing } from './use-selection.ts';

const all: Text = ['全部信息', 'All details'];

interface DataCardProps extends Omit<RowCellProps, 'column'> {
  readonly layout: CardLayout;
  readonly resource: Resource;
  readonly chosen: Choosing | undefined;
}

const isEmpty = (value: unknown) => value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** One row on a phone: name, state, main columns, and its actions in one menu. */
export const DataCard = ({ layout, resource, chosen, ...cell }: DataCardProps) => {
  const { row, offers, act } = cell;
  const name = rowName(resource, row);
  const isChosen = chosen?.has(row) === true;
  const { titles, states, facts, rest } = layout;
  const title = titles.find((column) => !isEmpty(valueAt(row, column.name))) ?? titles[0];
  const list = (columns: readonly Column[], row: AnyRow) => (
    <dl className="card-facts">
      {columns.map((column) => (
        <div key={column.name} data-kind={column.field.kind}>
          <dt>{t(column.field.label)}</dt>
          <dd>
            <RowCell {...cell} row={row} column={column} />
          </dd>
        </div>
      ))}
    </dl>
  );
  return (
    <li className="data-card" data-chosen={isChosen || undefined}>
      <div className="card-head">
        {chosen && <SelectBox label={t(chooseRow, name)} share={isChosen ? 'all' : 'none'} onSet={(on) => chosen.set([row], on)} />}
        <div className="row wrap grow card-name">
          <strong>{title && <RowCell {...cell} column={title} />}</strong>
          <span className="card-states">
            {states.map((column) => (
              <RowCell key={column.name} {...cell} column={column} />
            ))}
          </span>
        </div>
        <RowActions offers={offers(row)} act={(key) => act(key, row)} of={name} isMenu />
      </div>
      {list(
        facts.filter(({ name: column }) => !isEmpty(valueAt(row, column))),
        row,
      )}
      {rest.length > 0 && (
        <details>
          <summary>{t(all)}</summary>
          {list(rest, row)}
        </details>
      )}
    </li>
  );
};
