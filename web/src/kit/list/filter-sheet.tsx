import type { Text } from '@farlink/contract/kit/text.ts';
import { useId } from 'react';
import { Panel } from '../../ui/native/panel.tsx';
import { NativeSelect } from '../../ui/native/select.tsx';
import { t } from '../chrome/lang.ts';
import { columnsOf } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import type { List, ListPage } from './use-list.ts';

const texts = {
  title: ['筛选与排序', 'Filter and sort'],
  sort: ['排序', 'Sort by'],
  defaultOrder: ['默认排序', 'Default order'],
  up: ['{0} ↑ 升序', '{0} ↑ ascending'],
  down: ['{0} ↓ 降序', '{0} ↓ descending'],
} as const satisfies Record<string, Text>;

interface FilterSheetProps {
  readonly page: ListPage;
  readonly list: List;
  readonly onClose: () => void;
}

/** Sort order and filters of a list on a phone, as a sheet over the list. A search closes it. */
const FilterSheet = ({ page, list, onClose }: FilterSheetProps) => {
  const id = useId();
  const orders = columnsOf(page.resource)
    .filter(({ field }) => field.sort)
    .flatMap(({ name, field }) => [
      { value: `${name} asc`, label: t(texts.up, field.label) },
      { value: `${name} desc`, label: t(texts.down, field.label) },
    ]);
  return (
    <Panel title={t(texts.title)} isSheet onClose={onClose}>
      {orders.length > 0 && (
        <div className="filter sheet-sort">
          <label htmlFor={id}>{t(texts.sort)}</label>
          <NativeSelect
            id={id}
            value={list.state.orderby ?? ''}
            options={orders}
            none={t(texts.defaultOrder)}
            onChange={(next) => list.setOrderby(next || undefined)}
          />
        </div>
      )}
      <FilterBar
        page={page}
        filters={list.state.filters}
        search={(filters) => {
          list.setFilters(filters);
          onClose();
        }}
      />
    </Panel>
  );
};
export default FilterSheet;
