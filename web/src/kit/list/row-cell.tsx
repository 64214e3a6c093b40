import type { Field } from '@farlink/contract/kit/field.ts';
import type { Me } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { valueAt } from '../../ui/format.ts';
import type { Offer } from '../actions/action-state.ts';
import { fillRoute } from '../chrome/route.ts';
import { useMe } from '../net/session.ts';
import { Cell } from './cell.tsx';
import type { Column } from './columns.ts';
import { fieldHref, fieldHrefs } from './field-href.ts';

export const chooseRow: Text = ['选择 {0}', 'Select {0}'];

/** URL of the referenced object, or of the detail of the row. */
const hrefOf = (field: Field, row: AnyRow, me: Me, to: string | undefined) => {
  if (field.kind === 'tags') return undefined;
  if (field.to !== undefined) return fieldHref(field, row, me);
  return field.kind === 'link' && to !== undefined ? fillRoute(to, row) : undefined;
};

export interface RowCellProps {
  readonly row: AnyRow;
  readonly column: Column;
  readonly offers: (row: AnyRow) => readonly Offer[];
  readonly act: (key: string, row: AnyRow) => void;
  /** The action of a link cell. */
  readonly open: Offer | undefined;
  readonly reveal: ((id: number, field: string) => Promise<string>) | undefined;
}

/** One value of a row, in a table or on a card, with its link. */
export const RowCell = ({ row, column: { name, field }, act, open, reveal }: RowCellProps) => {
  const me = useMe();
  const to = open?.action.to;
  return (
    <Cell
      field={field}
      value={valueAt(row, name)}
      href={hrefOf(field, row, me, to)}
      hrefs={fieldHrefs(field, valueAt(row, name), row, me)}
      onOpen={open && field.to === undefined ? () => act(open.key, row) : undefined}
      reveal={reveal && (() => reveal(row.id, name))}
    />
  );
};
