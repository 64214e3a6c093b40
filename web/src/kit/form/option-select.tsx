import type { Text } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { lazy, Suspense, useEffect, useState } from 'react';
import { LazySelect } from '../../ui/antd/lazy-select.tsx';
import { t } from '../chrome/lang.ts';
import { useSearch } from './options.ts';

const TreeSelectOne = lazy(() => import('../../ui/antd/tree-select-one.tsx'));

export const choose: Text = ['请选择', 'Please select'];
const noParams: Values = {};
const lost: Text = ['选项加载失败', 'The options could not be loaded'];
/** spec §8: application templates have a separate message. */
const lostTemplates: Text = ['获取应用模板失败', 'Failed to obtain application template'];

interface OptionSelectProps {
  readonly id: string;
  readonly lookup: string;
  /** Parameters that narrow the lookup. */
  readonly params?: Values;
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
  readonly status?: 'error' | undefined;
  /** In a filter the tree is loaded on first focus. */
  readonly isFilter?: boolean;
  /** Shown if there are no options. */
  readonly empty?: Text | undefined;
  /** The tree node that cannot be chosen, including its children. */
  readonly excluded?: number | undefined;
}

/** One row of another list: a searchable select, or a tree if the lookup returns one. */
export const OptionSelect = ({ id, lookup, params, value, onChange, status, isFilter = false, excluded, empty }: OptionSelectProps) => {
  const { items, tree, loading, failed, reload, search } = useSearch(lookup, params ?? noParams, value === undefined ? [] : [value]);
  const [isRequested, setIsRequested] = useState(!isFilter);
  const [isFocused, setFocused] = useState(false);
  const narrowed = JSON.stringify(params ?? noParams);
  const [first] = useState(narrowed);
  const isMissing = value !== undefined && !items.some((item) => item.value === value);
  // The initial value of a form stays; a value that another field has made invalid is cleared.
  const isUnfit = !isFilter && !search && narrowed !== first && !loading && !failed && isMissing;
  useEffect(() => {
    if (isUnfit) onChange(undefined);
  });
  const plain = (
    <LazySelect
      isEager={!isFilter}
      id={id}
      value={value}
      options={items}
      onChange={onChange}
      placeholder={t(choose)}
      status={status}
      loading={loading}
      emptyText={failed ? t(lookup === 'application/option' ? lostTemplates : lost) : empty && !loading ? t(empty) : undefined}
      open={tree && !isRequested ? false : undefined}
      onFocus={() => {
        setIsRequested(true);
        if (failed) reload();
        setFocused(true);
      }}
      onBlur={() => setFocused(false)}
      searchable
      onSearch={search}
    />
  );
  if (!tree || !isRequested) return plain;
  return (
    <Suspense fallback={plain}>
      <TreeSelectOne
        id={id}
        value={value}
        onChange={onChange}
        nodes={tree}
        placeholder={t(choose)}
        status={status}
        loading={loading}
        // The tree replaces the select and takes over the focus.
        autoFocus={isFilter || isFocused}
        isFilter={isFilter}
        excluded={excluded}
      />
    </Suspense>
  );
};
