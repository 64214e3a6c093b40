import type { Text } from '@farlink/contract/kit/text.ts';
import { lazy, Suspense, useState } from 'react';
import { tips } from '../../ui/browser/tip.ts';
import { usePhone } from '../../ui/browser/use-media.ts';
import { useWidth } from '../../ui/browser/use-width.ts';
import { ColumnHead } from '../../ui/native/column-head.tsx';
import { SkeletonRows } from '../../ui/native/skeleton-rows.tsx';
import { actionMenuWidth, actionsWidth } from '../actions/row-actions.tsx';
import { t } from '../chrome/lang.ts';
import { isRight } from './columns.ts';
import { DataRow } from './data-row.tsx';
import { EmptyTable } from './empty-table.tsx';
import { fitColumns, sumOf } from './fit-columns.ts';
import { nextOrder, sortOf } from './list-state.ts';
import { PageBox } from './page-box.tsx';
import type { TableProps } from './table-props.ts';
import '../../ui/styles/table.css';
import { SumRow } from './sum-row.tsx';
import { useReveal } from './use-reveal.ts';

const texts = {
  actions: ['操作', 'Actions'],
} as const satisfies Record<string, Text>;

const checkboxWidth = 40;
const CardList = lazy(async () => ({ default: (await import('./card-list.tsx')).CardList }));

/** A table; on a phone a list of cards. */
export const DataTable = (props: TableProps) =>
  usePhone() ? (
    <Suspense>
      <CardList {...props} />
    </Suspense>
  ) : (
    <RowTable {...props} />
  );

/** A plain HTML table with sticky header and actions: 100 rows cost a fraction of a table component. */
const RowTable = ({ list, page, view, offers, act, open, chosen }: TableProps) => {
  const { compact, resize } = view;
  const { rows, loading, refreshing, failed, setOrderby } = list;
  const { orderby } = list.state;
  const reveal = useReveal(page);
  // All rows offer the same actions, unless an action can be hidden; only the refusals differ.
  const differs = Object.values(page.actions).some((action) => action.hiddenWhenRefused);
  const offered = rows.slice(0, differs ? rows.length : 1).map((row) => offers(row).map((o) => o.action));
  const wide = Math.max(0, ...offered.map(actionsWidth));
  const [frame, width] = useWidth(1000);
  const [isAtEnd, setAtEnd] = useState(false);
  const availableWidth = width - (chosen ? checkboxWidth : 0);
  const hasActionMenu = offered.some((actions) => actions.length > 1) && sumOf(view.columns, 'minWidth') + wide > availableWidth;
  const pinned = hasActionMenu ? actionMenuWidth : wide;
  const columns = fitColumns(view.columns, availableWidth - pinned, page.resource.orderby.split(' ')[0]);
  const total = sumOf(columns, 'width') + pinned + (chosen ? checkboxWidth : 0);
  const isEmpty = failed || (!loading && rows.length === 0);
  return (
    <div
      className="table-frame"
      data-dim={refreshing}
      data-more={(total > width && !isAtEnd) || undefined}
      ref={frame}
      onScroll={({ currentTarget: e }) => setAtEnd(e.scrollLeft + e.clientWidth >= e.scrollWidth - 1)}
      {...tips}
    >
      <table className={compact ? 'data-table compact' : 'data-table'} style={{ minWidth: total }} aria-busy={loading || refreshing}>
        <colgroup>
          {chosen && <col style={{ width: checkboxWidth }} />}
          {columns.map((c) => (
            <col key={c.name} style={{ width: c.width }} />
          ))}
          {pinned > 0 && <col style={{ width: pinned }} />}
        </colgroup>
        <thead>
          <tr>
            {chosen && (
              <th scope="col" className="select">
                <PageBox chosen={chosen} rows={rows} />
              </th>
            )}
            {columns.map((c) => (
              <ColumnHead
                key={c.name}
                label={t(c.field.label)}
                tips={c.field.tips && t(c.field.tips)}
                isRight={isRight(c.field)}
                sorted={sortOf(c.name, orderby)}
                onSort={c.field.sort ? () => setOrderby(nextOrder(c.name, orderby)) : undefined}
                width={c.width}
                onResize={(width) => resize(c.name, width)}
              />
            ))}
            {pinned > 0 && (
              <th scope="col" className="pinned">
                <span className={hasActionMenu ? 'visually-hidden' : undefined}>{t(texts.actions)}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {loading && !failed && (
            <SkeletonRows
              columns={columns.map((c) => c.name)}
              rows={list.state.limit}
              withActions={pinned > 0}
              withCheckbox={chosen !== undefined}
            />
          )}
          {!isEmpty &&
            rows.map((row) => (
              <DataRow
                key={row.id}
                row={row}
                columns={columns}
                resource={page.resource}
                offers={offers}
                act={act}
                open={open}
                reveal={reveal}
                chosen={chosen}
                hasActions={pinned > 0}
                hasActionMenu={hasActionMenu}
              />
            ))}
        </tbody>
        {list.sums && !isEmpty && !loading && (
          <SumRow columns={columns} sums={list.sums} isSelectable={chosen !== undefined} hasActions={pinned > 0} />
        )}
      </table>
      {isEmpty && <EmptyTable list={list} hint={page.emptyHint} />}
    </div>
  );
};
