import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { isPhone } from '../../ui/browser/use-media.ts';
import { type ListState, limitFor, readListState, writeListState } from './list-state.ts';

/** Storage of the list state. */
export interface ListStateStore {
  readonly state: ListState;
  readonly update: (next: Partial<ListState>, replace?: boolean) => void;
}

/** On a phone rows are cards, and only a few are visible. */
const screenLimit = () => (isPhone() ? limits.limit : limitFor(innerHeight));

/** More rows than a list without a pager can have. */
const unpagedLimit = 100;

/** State in the URL: the list can be shared and survives reload and back. */
export const useAddressState = (r: Resource, isUnpaged = false): ListStateStore => {
  const [query, setQuery] = useSearchParams();
  // Computed once per mount, so a resize does not load again.
  const [defaultLimit] = useState(screenLimit);
  const read = readListState(query, r, defaultLimit);
  const state = isUnpaged ? { ...read, page: limits.page, limit: unpagedLimit } : read;
  return {
    state,
    update: (next, replace = false) => setQuery(writeListState({ ...state, ...next }, defaultLimit), { replace, preventScrollReset: true }),
  };
};

/** State in the component, for a list inside another page. */
export const useLocalState = (r: Resource): ListStateStore => {
  const [state, setState] = useState(() => readListState(new URLSearchParams(), r));
  return { state, update: (next) => setState((old) => ({ ...old, ...next })) };
};
