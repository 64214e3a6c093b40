import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { Button } from '../ui/button.ts';
import { ColumnHead } from '../ui/column-head.tsx';
import { valueAt } from '../ui/format.ts';
import { GhostRows } from '../ui/ghost-rows.tsx';
import { StateBox } from '../ui/state-box.tsx';
import { tips } from '../ui/tip.ts';
import type { Offer } from './action-state.ts';
import { Cell } from './cell.tsx';
import { isRight } from './columns.ts';
import { t } from './lang.ts';
import { nextOrder, sortOf } from './list-state.ts';
import { actionsWidth, RowActions } from './row-actions.tsx';
import '../ui/table.css';
import type { List } from './use-list.ts';
import type { TableView } from './use-table-view.ts';

const words = {
  actions: ['操作', 'Actions'],
  none: ['暂无数据', 'No data yet'],
  noneHint: ['新增的数据会显示在这里', 'New records will show up here'],
  noMatch: ['没有符合条件的数据', 'No record matches'],
  noMatchHint: ['请调整或清空筛选条件', 'Change the filters or clear them'],
  clear: ['清空筛选', 'Clear filters'],
  failed: ['数据加载失败', 'The list could not be loaded'],
  failedHint: ['请检查网络后重试', 'Check the connection and try again'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

interface TableProps {
  readonly list: List;
  readonly resource: Resource;
  readonly view: TableView;
  readonly offers: (row: AnyRow) => readonly Offer[];
  readonly act: (key: string, row: AnyRow) => void;
  /** The action that a link cell takes. */
  readonly open?: string | undefined;
}

const Nothing = ({ list }: { readonly list: List }) => {
  if (list.failed) {
    return (
      <StateBox title={t(words.failed)} hint={t(words.failedHint)}>
        <Button onClick={list.reload}>{t(words.retry)}</Button>
      </StateBox>
    );
  }
  if (Object.keys(list.state.filters).length === 0) return <StateBox title={t(words.none)} hint={t(words.noneHint)} />;
  return (
    <StateBox title={t(words.noMatch)} hint={t(words.noMatchHint)}>
      <Button onClick={() => list.setFilters({})}>{t(words.clear)}</Button>
    </StateBox>
  );
};

/** A plain table: the browser keeps head and actions in place, so a hundred rows cost a fraction of what a table component takes. */
export const DataTable = ({ list, resource, view, offers, act, open }: TableProps) => {
  const { columns, compact, resize } = view;
  const { rows, loading, refreshing, failed } = list;
  const { orderby } = list.state;
  const rowOffers = rows.map((row) => offers(row));
  const pinned = Math.max(0, ...rowOffers.map((all) => actionsWidth(all.map((o) => o.action))));
  const total = columns.reduce((sum, c) => sum + c.width, pinned);
  const nameOf = (row: AnyRow) => String(valueAt(row, resource.columns[0] ?? 'id') ?? row.id);
  const vacant = failed || (!loading && rows.length === 0);
  return (
    <div className="table-frame" data-dim={refreshing} {...tips}>
      <table className={compact ? 'data-table compact' : 'data-table'} style={{ minWidth: total }} aria-busy={loading || refreshing}>
        <colgroup>
          {columns.map((c) => (
            <col key={c.name} style={{ width: c.width }} />
          ))}
          {pinned > 0 && <col style={{ width: pinned }} />}
        </colgroup>
        <thead>
          <tr>
            {columns.map((c) => (
              <ColumnHead
                key={c.name}
                label={t(c.field.label)}
                tips={c.field.tips && t(c.field.tips)}
                isRight={isRight(c.field)}
                sorted={sortOf(c.name, orderby)}
                onSort={c.field.sort ? () => list.setOrderby(nextOrder(c.name, orderby)) : undefined}
                width={c.width}
                onResize={(width) => resize(c.name, width)}
              />
            ))}
            {pinned > 0 && (
              <th scope="col" className="pinned">
                {t(words.actions)}
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {loading && !failed && <GhostRows columns={columns.map((c) => c.name)} rows={list.state.limit} withActions={pinned > 0} />}
          {!vacant &&
            rows.map((row, i) => (
              <tr key={row.id}>
                {columns.map(({ name, field }) => (
                  <td key={name} className={isRight(field) ? 'num' : undefined}>
                    <Cell field={field} value={valueAt(row, name)} onOpen={open === undefined ? undefined : () => act(open, row)} />
                  </td>
                ))}
                {pinned > 0 && (
                  <td className="pinned">
                    <RowActions offers={rowOffers[i] ?? []} act={(key) => act(key, row)} of={nameOf(row)} />
                  </td>
                )}
              </tr>
            ))}
        </tbody>
      </table>
      {vacant && <Nothing list={list} />}
    </div>
  );
};
