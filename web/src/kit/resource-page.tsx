import type { Values } from '@farlink/contract/kit/field.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { useState } from 'react';
import { Button } from '../ui/button.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { FilterIcon, ReloadIcon } from '../ui/icons.ts';
import { tips } from '../ui/tip.ts';
import { offersOf } from './action-state.ts';
import { columnsOf } from './columns.ts';
import { DataTable } from './data-table.tsx';
import { FilterBar } from './filter-bar.tsx';
import { t } from './lang.ts';
import { Pager } from './pager.tsx';
import '../ui/page.css';
import { useMe } from './session.ts';
import { type Run, useDesk } from './use-desk.tsx';
import { type ListPage, useList } from './use-list.ts';
import { useTableView } from './use-table-view.ts';
import { ViewSettings } from './view-settings.tsx';

const words = {
  filter: ['筛选', 'Filter'],
  reload: ['刷新', 'Refresh'],
} as const satisfies Record<string, Text>;

interface ResourcePageProps {
  readonly page: ListPage;
  /** Deeds of the page's own, by the key of their action. */
  readonly run?: Run;
  /** Parameters that the page adds to its list from elsewhere. */
  readonly params?: Values;
}

/**
 * Filter bar, toolbar, table, pagination, and what the actions do. It is a composition of parts that stand by themselves:
 * a page that needs another one copies these lines and changes them.
 */
export const ResourcePage = ({ page, run, params }: ResourcePageProps) => {
  const me = useMe();
  const list = useList(page, params);
  const [wanted, setWanted] = useState(true);
  // Whatever filters the list is in sight, also when the back button brought it.
  const filtering = wanted || Object.keys(list.state.filters).length > 0;
  const all = columnsOf(page.resource);
  const view = useTableView(page.key, all);
  const desk = useDesk(page, { ...page.listParams, ...list.state.filters, ...params }, run);
  const hasDetail = offersOf(page, 'row', me).some((offer) => offer.key === 'detail');

  const toggleFilter = () => {
    setWanted(!filtering);
    // spec §4: closing the panel resets all filters and searches.
    if (filtering) list.setFilters({});
  };

  return (
    <section className="resource-page card" aria-label={t(page.title)}>
      <div className="toolbar" {...tips}>
        {offersOf(page, 'toolbar', me).map(({ key, action, refusal }, i) => (
          <span key={key} data-tip={refusal && t(refusal)}>
            <Button type={i === 0 ? 'primary' : 'default'} disabled={refusal !== undefined} onClick={() => desk.act(key)}>
              {t(action.label)}
            </Button>
          </span>
        ))}
        <span className="spring" />
        <Button type={filtering ? 'default' : 'text'} icon={<FilterIcon aria-hidden />} aria-expanded={filtering} onClick={toggleFilter}>
          {t(words.filter)}
        </Button>
        <IconButton label={t(words.reload)} onClick={list.reload}>
          <ReloadIcon aria-hidden />
        </IconButton>
        <ViewSettings all={all} view={view} />
      </div>
      {filtering && <FilterBar page={page} filters={list.state.filters} search={list.setFilters} />}
      <DataTable
        list={list}
        resource={page.resource}
        view={view}
        offers={(row) => offersOf(page, 'row', me, row)}
        act={desk.act}
        open={hasDetail ? 'detail' : undefined}
      />
      <Pager list={list} />
      {desk.open}
    </section>
  );
};
