import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, Suspense, useState } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { usePhone } from '../../ui/browser/use-media.ts';
import { useWidth } from '../../ui/browser/use-width.ts';
import { Button } from '../../ui/native/button.tsx';
import { IconButton } from '../../ui/native/icon-button.tsx';
import { FilterIcon, ReloadIcon } from '../../ui/theme/icons.ts';
import { ActionBar } from '../actions/action-bar.tsx';
import { barOffers, hasBatch, isBatch, offersOf } from '../actions/action-state.ts';
import { t } from '../chrome/lang.ts';
import { columnsOf } from './columns.ts';
import { DataTable } from './data-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { Pager } from './pager.tsx';
import '../../ui/styles/page.css';
import { type Run, usePageActions } from '../actions/use-page-actions.tsx';
import { useMe } from '../net/session.ts';
import { SelectionBar } from './selection-bar.tsx';
import { type ListPage, useList } from './use-list.ts';
import { useAddressState } from './use-list-state.ts';
import { useSelection } from './use-selection.ts';
import { useTableView } from './use-table-view.ts';
import { ViewSettings } from './view-settings.tsx';

const texts = {
  filter: ['筛选', 'Filter'],
  filterAndSort: ['筛选与排序', 'Filter and sort'],
  selectFirst: ['选择数据后可批量操作', 'Select rows for batch actions'],
  reload: ['刷新', 'Refresh'],
} as const satisfies Record<string, Text>;

/** Width reserved in the toolbar for the tools on the right, and for the selection text. */
const toolsWidth = 256;
const phoneTools = 132;
const selectionWidth = 132;
const FilterSheet = lazy(() => import('./filter-sheet.tsx'));

interface ResourcePageProps {
  readonly page: ListPage;
  /** Custom handlers of the page, by action key. */
  readonly run?: Run;
  /** Parameters that the page adds to its list call. */
  readonly params?: Values;
  /** The action of a link cell; default: detail or download. */
  readonly link?: string;
  /** A short list that shows all rows without a pager. */
  readonly isUnpaged?: boolean;
}

/**
 * Filter bar, toolbar, table, pagination and actions. It only composes separate parts: a page with other needs copies these lines and
 * changes them.
 */
export const ResourcePage = ({ page, run, params, link, isUnpaged = false }: ResourcePageProps) => {
  const me = useMe();
  const [bar, width] = useWidth(1000);
  const list = useList(page, useAddressState(page.resource, isUnpaged), params);
  const { setFilters, reload } = list;
  const chosen = useSelection(list.rows);
  const [isShown, setIsShown] = useState(true);
  const [isSheetOpen, setSheet] = useState(false);
  // Active filters are always visible, also after the back button.
  const filterCount = Object.keys(list.state.filters).length;
  const filtering = isShown || filterCount > 0;
  const all = columnsOf(page.resource);
  const view = useTableView(page.key, all);
  const actions = usePageActions(page, { ...page.listParams, ...list.state.filters, ...params }, run, chosen.drop);
  const offers = barOffers(page, me, chosen.rows);
  const isSelectable = hasBatch(page, me);
  const isSelecting = chosen.rows.length > 0;
  const isPhone = usePhone();

  const toggleFilter = () => {
    setIsShown(!filtering);
    // spec §4: closing the panel resets all filters and searches.
    if (filtering) setFilters({});
  };
  const act = (key: string) => {
    const action = page.actions[key];
    actions.act(key, ...(action && isBatch(action) ? chosen.rows : []));
  };

  return (
    <section className="resource-page card" aria-label={t(page.title)}>
      <div className="toolbar" ref={bar} {...tips}>
        {isSelectable && <SelectionBar chosen={chosen} offered={offers.length} />}
        <ActionBar
          offers={offers}
          act={act}
          availableWidth={width - (isPhone ? phoneTools : toolsWidth) - (isSelecting ? selectionWidth : 0)}
        />
        {isSelectable && offers.length === 0 && <span className="muted">{t(texts.selectFirst)}</span>}
        <span className="spring" />
        {isPhone ? (
          <Button
            icon={<FilterIcon aria-hidden />}
            aria-haspopup="dialog"
            aria-label={filterCount > 0 ? `${t(texts.filterAndSort)} ${filterCount}` : t(texts.filterAndSort)}
            onClick={() => setSheet(true)}
          >
            {filterCount > 0 ? String(filterCount) : undefined}
          </Button>
        ) : (
          <Button kind={filtering ? 'default' : 'text'} icon={<FilterIcon aria-hidden />} aria-expanded={filtering} onClick={toggleFilter}>
            {t(texts.filter)}
          </Button>
        )}
        <IconButton label={t(texts.reload)} onClick={reload}>
          <ReloadIcon aria-hidden />
        </IconButton>
        {!isPhone && <ViewSettings all={all} view={view} />}
      </div>
      {isPhone && isSheetOpen && (
        <Suspense>
          <FilterSheet page={page} list={list} onClose={() => setSheet(false)} />
        </Suspense>
      )}
      {!isPhone && filtering && <FilterBar page={page} filters={list.state.filters} search={setFilters} />}
      <DataTable
        list={list}
        page={page}
        view={view}
        offers={(row) => offersOf(page, 'row', me, row)}
        act={actions.act}
        open={offersOf(page, 'row', me).find(({ key }) => (link ? key === link : key === 'detail' || key === 'download'))}
        chosen={isSelectable ? chosen : undefined}
      />
      {!isUnpaged && <Pager list={list} />}
      {actions.open}
    </section>
  );
};
