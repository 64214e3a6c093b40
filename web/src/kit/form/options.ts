import type { Field } from '@farlink/contract/kit/field.ts';
import { lookupRows, searchedLookups } from '@farlink/contract/kit/lookup.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { RichText } from '../../ui/antd/rich-option.tsx';
import type { TreeSelectNode } from '../../ui/antd/tree-select-one.tsx';
import { lang } from '../chrome/lang.ts';
import { call } from '../net/call.ts';

interface OptionItem {
  readonly value: number;
  readonly label: string;
  /** Further properties of the option. */
  readonly more?: Values;
  /** The label in two lines. */
  readonly rich?: RichText;
}
interface Options {
  readonly items: readonly OptionItem[];
  /** Set if the lookup returns a tree. */
  readonly tree?: readonly TreeSelectNode[];
}

const none: Options = { items: [] };
const collator = new Intl.Collator(lang === 'zh' ? 'zh-CN' : 'en', { numeric: true });

const nodesOf = (list: unknown): TreeSelectNode[] =>
  (Array.isArray(list) ? list : []).filter(isRecord).map((node) => ({
    value: Number(node.id),
    label: String(node.name ?? node.id),
    closed: node.takes_children === false,
    children: nodesOf(node.children),
  }));
const flat = (nodes: readonly TreeSelectNode[]): OptionItem[] =>
  nodes.flatMap((n) => [{ value: n.value, label: n.label }, ...flat(n.children)]);

const weightOf = ({ more }: OptionItem) => Number(more?.weight ?? 0);

/** A package for sale. */
const richOf = ({ title, amount, detail }: Values): { readonly rich?: RichText } =>
  typeof title === 'string' ? { rich: { title, amount: String(amount ?? ''), detail: String(detail ?? '') } } : {};

/** spec §3: id → label, or id → an object with a name, or a list with ids. */
const optionsOf = (data: unknown): Options => {
  if (!isRecord(data)) return none;
  if (Array.isArray(data.list)) {
    const tree = nodesOf(data.list);
    return { items: flat(tree), tree };
  }
  const items = Object.entries(data).map(([id, label]) =>
    isRecord(label)
      ? { value: Number(id), label: String(label.name), more: label, ...richOf(label) }
      : { value: Number(id), label: String(label) },
  );
  return { items: items.sort((a, b) => weightOf(b) - weightOf(a) || collator.compare(a.label, b.label)) };
};

/** Parameters of a lookup: the values named in `lookupBy`, and `lookupParams`. */
export const narrowing = (field: Field, known: Values): Values => ({
  ...Object.fromEntries((field.lookupBy ?? []).map((name) => [name, known[name]])),
  ...field.lookupParams,
});

/** A field refers to its option call by path. */
const fetchOptions = (lookup: string, input: Values): Promise<unknown> =>
  call({ method: 'GET', path: lookup, kind: 'option' }, input, { silent: true, overlay: false });

interface Suggestion {
  readonly value: string;
  readonly label: string;
}

const noSuggestions: readonly Suggestion[] = [];

/** Text keys, such as versions and models, in the order of the response. */
export const useSuggestions = (lookup: string | undefined, params: Values) => {
  const { data = noSuggestions, isFetching } = useQuery({
    queryKey: ['suggestions', lookup, params],
    queryFn: async (): Promise<readonly Suggestion[]> => {
      const reply = await fetchOptions(lookup ?? '', params).catch(() => undefined);
      return isRecord(reply) ? Object.entries(reply).map(([value, label]) => ({ value, label: String(label) })) : noSuggestions;
    },
    enabled: lookup !== undefined,
    retry: false,
  });
  return { suggestions: data, loading: isFetching };
};

interface Lookup extends Options {
  readonly loading: boolean;
  readonly failed: boolean;
  readonly reload: () => void;
}

/** Every match, to choose all of them at once. */
export const fetchAllOptions = async (lookup: string, params: Values): Promise<readonly OptionItem[]> =>
  optionsOf(await fetchOptions(lookup, { limit: limits.optionLimit, ...params })).items;

/** spec §7: requested with page 1 and limit 10000; a failure gives an empty list. */
export const useOptions = (lookup: string | undefined, params: Values = {}): Lookup => {
  const {
    data = none,
    isFetching,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['option', lookup, params],
    queryFn: () => fetchOptions(lookup ?? '', { page: limits.optionPage, limit: limits.optionLimit, ...params }).then(optionsOf),
    enabled: lookup !== undefined,
    staleTime: 30_000,
    // During a search the previous matches stay.
    placeholderData: (previous, query) => (query?.queryKey[1] === lookup && 'limit' in params ? previous : undefined),
    retry: false,
  });
  return { ...data, loading: isFetching, failed: isError, reload: () => void refetch() };
};

const typingMs = 250;

/** The debounced value. */
const useDebounced = (value: string): string => {
  const [debounced, setDebounced] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return debounced;
};

interface Search extends Lookup {
  /** Set if the server searches: takes the keyword. */
  readonly search: ((keyword: string) => void) | undefined;
  readonly keyword: string;
  /** There are more matches than returned. */
  readonly hasMore: boolean;
}

/** Options of a lookup; for a long one the matches of the keyword, plus the chosen ones with their names. */
export const useSearch = (lookup: string | undefined, params: Values, chosen: readonly number[], rows: number = lookupRows): Search => {
  const [keyword, search] = useState('');
  const debounced = useDebounced(keyword.trim());
  const isSearched = lookup !== undefined && searchedLookups.has(lookup);
  const found = useOptions(lookup, isSearched ? { ...params, limit: rows, keyword: debounced } : params);
  const missing = found.loading && !isSearched ? [] : chosen.filter((id) => !found.items.some((item) => item.value === id));
  // Chosen rows keep their names, even if the form does not offer them.
  const named = useOptions(missing.length > 0 ? lookup : undefined, isSearched ? { chosen: missing, limit: limits.optionLimit } : {});
  return {
    ...found,
    items: missing.length > 0 ? [...found.items, ...named.items.filter((item) => missing.includes(item.value))] : found.items,
    keyword: debounced,
    search: isSearched ? search : undefined,
    hasMore: isSearched && found.items.length >= rows,
  };
};
