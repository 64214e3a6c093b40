import type { Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import type { Offer } from '../actions/action-state.ts';
import type { List } from './use-list.ts';
import type { Choosing } from './use-selection.ts';
import type { TableView } from './use-table-view.ts';

export interface TableProps {
  readonly list: List;
  readonly page: Pick<Page, 'reveal' | 'actions' | 'emptyHint'> & { readonly resource: Resource };
  readonly view: TableView;
  readonly offers: (row: AnyRow) => readonly Offer[];
  readonly act: (key: string, row: AnyRow) => void;
  /** What a link cell opens. */
  readonly open?: Offer | undefined;
  /** Where rows can be chosen. */
  readonly chosen?: Choosing | undefined;
}
