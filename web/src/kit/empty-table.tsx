import type { Text } from '@farlink/contract/kit/text.ts';
import { Button } from '../ui/button.ts';
import { StateBox } from '../ui/state-box.tsx';
import { t } from './lang.ts';
import type { List } from './use-list.ts';

const words = {
  none: ['暂无数据', 'No data yet'],
  noneHint: ['新增的数据会显示在这里', 'New records will show up here'],
  noMatch: ['没有符合条件的数据', 'No record matches'],
  noMatchHint: ['请调整或清空筛选条件', 'Change the filters or clear them'],
  clear: ['清空筛选', 'Clear filters'],
  failed: ['数据加载失败', 'The list could not be loaded'],
  failedHint: ['请检查网络后重试', 'Check the connection and try again'],
  retry: ['重试', 'Retry'],
} as const satisfies Record<string, Text>;

/** A table without rows: what happened, and the next step. */
export const EmptyTable = ({ list }: { readonly list: List }) => {
  const isFiltered = Object.keys(list.state.filters).length > 0;
  const clear = <Button onClick={() => list.setFilters({})}>{t(words.clear)}</Button>;
  if (list.failed) {
    return (
      <StateBox title={t(words.failed)} hint={list.refusal ?? t(words.failedHint)}>
        {isFiltered && list.refusal !== undefined ? clear : <Button onClick={list.reload}>{t(words.retry)}</Button>}
      </StateBox>
    );
  }
  if (!isFiltered) return <StateBox title={t(words.none)} hint={t(words.noneHint)} />;
  return (
    <StateBox title={t(words.noMatch)} hint={t(words.noMatchHint)}>
      {clear}
    </StateBox>
  );
};
