import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { isPhone } from '../../ui/browser/use-media.ts';
import { type ListState, limitFor, readListState, writeListState } from './list-state.ts';

/** Storage of the list state. */
export interface ListStateStore {
  readonly state: ListState;
  readonly go: (next: Partial<ListState>, replace?: boolean) => void;
}

/** On a phone rows are cards, and only a few are visible. */
const usualLimit = () => (isPhone() ? limits.limit : limitFor(innerHeight));

/** More rows than a list without a pager can have. */
const wholeLimit = 100;

/** State in the URL: the list can be shared and survives reload and back. */
export const useAddressState = (r: Resource, isWhole = false): ListStateStore => {
  const [query, setQuery] = useSearchParams();
  // Computed once per mount, so a resize does not load again.
  const [usual] = useState(usualLimit);
  const read = readListState(query, r, usual);
  const state = isWhole ? { ...read, page: limits.page, limit: wholeLimit } : read;
  return {
    state,
    go: (next, replace = false) => setQuery(writeListState({ ...state, ...next }, usual), { replace, preventScrollReset: true }),
  };
};

/** State in the component, for a list inside another page. */
export const useLocalState = (r: Resource): ListStateStore => {
  const [state, setState] = useState(() => readListState(new URLSearchParams(), r));
  return { state, go: (next) => setState((old) => ({ ...old, ...next })) };
};
