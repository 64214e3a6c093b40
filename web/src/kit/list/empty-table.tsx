import type { Text } from '@farlink/contract/kit/text.ts';
import { Button } from '../../ui/native/button.tsx';
import { EmptyState } from '../../ui/native/empty-state.tsx';
import { t } from '../chrome/lang.ts';
import type { List } from './use-list.ts';

const texts = {
  none: ['暂无数据', 'No data yet'],
  noneHint: ['新增的数据会显示在这里', 'New records appear here'],
  noMatch: ['没有符合条件的数据', 'No record matches'],
  noMatchHint: ['请调整或清空筛选条件', 'Change the filters or clear them'],
  clear: ['清空筛选', 'Clear filters'],
  failed: ['数据加载失败', 'The list could not be loaded'],
  failedHint: ['请检查网络后重试', 'Check the connection and try again'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

interface EmptyTableProps {
  readonly list: List;
  /** Where the rows come from. */
  readonly hint: Text | undefined;
}

/** A table without rows: what happened, and the next step. */
export const EmptyTable = ({ list, hint = texts.noneHint }: EmptyTableProps) => {
  const isFiltered = Object.keys(list.state.filters).length > 0;
  const clear = <Button onClick={() => list.setFilters({})}>{t(texts.clear)}</Button>;
  if (list.failed) {
    return (
      <EmptyState title={t(texts.failed)} hint={list.refusal ?? t(texts.failedHint)}>
        {isFiltered && list.refusal !== undefined ? clear : <Button onClick={list.reload}>{t(texts.retry)}</Button>}
      </EmptyState>
    );
  }
  if (!isFiltered) return <EmptyState title={t(texts.none)} hint={t(hint)} />;
  return (
    <EmptyState title={t(texts.noMatch)} hint={t(texts.noMatchHint)}>
      {clear}
    </EmptyState>
  );
};
