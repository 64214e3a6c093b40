import type { Values } from '@farlink/contract/kit/field.ts';
import { TwoPanes } from '../ui/two-panes.tsx';
import { t } from './lang.ts';
import { useOptions } from './options.ts';

const words = {
  search: t(['搜索', 'Search']),
  offered: t(['可选', 'Available']),
  chosen: t(['已选', 'Chosen']),
  all: t(['全选', 'Select all']),
  clear: t(['清空', 'Clear']),
  none: t(['暂无', 'None']),
  more: (count: number) => t(['还有 {0} 项，请搜索', '{0} more, please search'], count),
};

interface PickManyProps {
  readonly id: string;
  readonly lookup: string;
  readonly params: Values;
  readonly value: unknown;
  readonly onChange: (ids: number[]) => void;
}

/** Several rows of another list. */
export const PickMany = ({ id, lookup, params, value, onChange }: PickManyProps) => {
  const { items } = useOptions(lookup, params);
  return <TwoPanes id={id} items={items} chosen={(Array.isArray(value) ? value : []).map(Number)} onChange={onChange} words={words} />;
};
