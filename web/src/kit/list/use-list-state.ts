import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { isPhone } from '../../ui/browser/use-media.ts';
import { type ListState, limitFor, readListState, writeListState } from './list-state.ts';

/** Where the state of a list is held. */
export interface Held {
  readonly state: ListState;
  readonly go: (next: Partial<ListState>, replace?: boolean) => void;
}

/** On a phone rows are cards, of which few are in sight. */
const usualLimit = () => (isPhone() ? limits.limit : limitFor(innerHeight));

/** More rows than a list without pages has. */
const wholeLimit = 100;

/** In the address: the list can be shared, and survives reload and back. */
export const useAddressState = (r: Resource, isWhole = false): Held => {
  const [query, setQuery] = useSearchParams();
  // Once for as long as the list is open: a window that is resized does not fetch again.
  const [usual] = useState(usualLimit);
  const read = readListState(query, r, usual);
  const state = isWhole ? { ...read, page: limits.page, limit: wholeLimit } : read;
  return {
    state,
    go: (next, replace = false) => setQuery(writeListState({ ...state, ...next }, usual), { replace, preventScrollReset: true }),
  };
};

/** In the component: a list inside a page that has an address of its own. */
export const useLocalState = (r: Resource): Held => {
  const [state, setState] = useState(() => readListState(new URLSearchParams(), r));
  return { state, go: (next) => setState((old) => ({ ...old, ...next })) };
};
