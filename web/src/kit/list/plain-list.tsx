import type { Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import type { Offer } from '../actions/action-state.ts';
import { columnsOf } from './columns.ts';
import { DataTable } from './data-table.tsx';
import { Pager } from './pager.tsx';
import '../../ui/styles/page.css';
import { type ListPage, useList } from './use-list.ts';
import { useLocalState } from './use-list-state.ts';
import { useTableView } from './use-table-view.ts';

/** A menu page, or only its list call, resource and name. */
export type ListDefinition = Pick<ListPage, 'key' | 'title' | 'list' | 'resource'> & Partial<Page>;

export const listPageOf = (definition: ListDefinition): ListPage => ({ route: '', permission: '', forms: {}, actions: {}, ...definition });

interface PlainListProps {
  readonly page: ListDefinition;
  /** Parameters of all rows, such as the account. */
  readonly params: Values;
  /** Columns that have the same value in every row. */
  readonly without?: readonly string[] | undefined;
  readonly offers?: (row: AnyRow) => readonly Offer[];
  readonly act?: (key: string, row: AnyRow) => void;
  readonly open?: Offer | undefined;
}

const none = () => [];

/** A table with a pager inside another page; its state is not in the URL. */
const PlainList = ({ page, params, without = [], offers = none, act = none, open }: PlainListProps) => {
  const listPage = listPageOf(page);
  const list = useList(listPage, useLocalState(listPage.resource), params);
  const columns = columnsOf(listPage.resource).filter((c) => !without.includes(c.name));
  const view = useTableView(`${page.key}-embedded`, columns);
  return (
    <div className="embedded-list">
      <DataTable list={list} page={listPage} view={view} offers={offers} act={act} open={open} />
      {list.total > 0 && <Pager list={list} />}
    </div>
  );
};
export default PlainList;
