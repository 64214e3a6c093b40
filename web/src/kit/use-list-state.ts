import type { Resource } from '@farlink/contract/kit/resource.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type ListState, readListState, writeListState } from './list-state.ts';

/** Where the state of a list is held. */
export interface Held {
  readonly state: ListState;
  readonly go: (next: Partial<ListState>, replace?: boolean) => void;
}

/** In the address: the list can be shared, and survives reload and back. */
export const useAddressState = (r: Resource): Held => {
  const [query, setQuery] = useSearchParams();
  const state = readListState(query, r);
  return {
    state,
    go: (next, replace = false) => setQuery(writeListState({ ...state, ...next }), { replace, preventScrollReset: true }),
  };
};

/** In the component: a list inside a page that has an address of its own. */
export const useLocalState = (r: Resource): Held => {
  const [state, setState] = useState(() => readListState(new URLSearchParams(), r));
  return { state, go: (next) => setState((old) => ({ ...old, ...next })) };
};
