import type { Values } from '@farlink/contract/kit/values.ts';
import { TransferList } from '../../ui/antd/transfer-list.tsx';
import { t } from '../chrome/lang.ts';
import { fetchAllOptions, useSearch } from './options.ts';

const texts = {
  search: t(['搜索', 'Search']),
  offered: t(['可选', 'Available']),
  chosen: t(['已选', 'Chosen']),
  all: t(['全选', 'Select all']),
  clear: t(['清空', 'Clear']),
  none: t(['暂无', 'None']),
  moreNote: t(['还有更多，请搜索', 'More available, please search']),
  more: (count: number) => t(['还有 {0} 项，请搜索', '{0} more, please search'], count),
};

/** Number of rows in the left pane. */
const atOnce = 200;

interface TransferFieldProps {
  readonly id: string;
  readonly lookup: string;
  readonly params: Values;
  readonly value: unknown;
  readonly onChange: (ids: number[]) => void;
}

/** Several rows of another list. */
export const TransferField = ({ id, lookup, params, value, onChange }: TransferFieldProps) => {
  const chosen = (Array.isArray(value) ? value : []).map(Number);
  const { items, search, keyword, hasMore } = useSearch(lookup, params, chosen, atOnce);
  const chooseAll = async () => {
    const all = await fetchAllOptions(lookup, { ...params, keyword });
    onChange([...new Set([...chosen, ...all.map((item) => item.value)])]);
  };
  return (
    <TransferList
      id={id}
      items={items}
      chosen={chosen}
      onChange={onChange}
      texts={texts}
      onSearch={search}
      onAll={hasMore ? () => void chooseAll().catch(() => {}) : undefined}
    />
  );
};
