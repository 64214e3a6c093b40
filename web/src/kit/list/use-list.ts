import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import type { Page } from '@farlink/contract/kit/page.ts';
import type { AnyRow, Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { CallError, call, transportFailure } from '../net/call.ts';
import { listingOf } from '../net/wire.ts';
import { clampPage, type Filters, type ListState } from './list-state.ts';
import type { Held } from './use-list-state.ts';

/** A page that has a list; the topology has none. */
export type ListPage = Page & { readonly list: NonNullable<Page['list']>; readonly resource: Resource };

export interface List {
  readonly state: ListState;
  readonly rows: readonly AnyRow[];
  readonly total: number;
  readonly capped: boolean;
  /** Sums over all that the filters find, by column. */
  readonly sums: Listing<AnyRow>['sums'];
  /** Nothing to show yet. */
  readonly loading: boolean;
  /** Old rows stay, dimmed, while new ones are on their way. */
  readonly refreshing: boolean;
  readonly failed: boolean;
  /** Why the server refused, where it did. */
  readonly refusal: string | undefined;
  readonly reload: () => void;
  readonly setPage: (page: number) => void;
  readonly setLimit: (limit: number) => void;
  readonly setOrderby: (orderby: string | undefined) => void;
  readonly setFilters: (filters: Filters) => void;
  readonly countExactly: () => Promise<void>;
}

const empty: Listing<AnyRow> = { total: 0, list: [] };

/** `more` are parameters that the page adds from elsewhere, such as a node chosen in a tree. */
export const useList = (page: ListPage, { state, go }: Held, more: Values = {}): List => {
  const filters: Values = { ...page.listParams, ...state.filters, ...more };
  const asked = JSON.stringify(filters);
  // Counted once on demand, and kept for these filters: a page turn must not count a million rows again.
  const [exact, setExact] = useState<{ readonly asked: string; readonly total: number }>();

  const hasSums = page.resource.sums !== undefined;
  const fetchPage = async (input: Values, signal?: AbortSignal) =>
    listingOf(await call(page.list, { ...input, filters }, { silent: true, signal }));
  const reply = useQuery({
    queryKey: ['list', page.key, filters, state.page, state.limit, state.orderby],
    // spec §7: an error of the table call is ignored silently; the table itself says so.
    queryFn: ({ signal }) =>
      fetchPage({ page: state.page, limit: state.limit, orderby: state.orderby, ...(hasSums && { sums: 'later' }) }, signal),
    placeholderData: (previous, query) => (query?.queryKey[1] === page.key ? previous : undefined),
    retry: false,
  });

  // The sums of many bills take longer than a page of them: they come by themselves, once for these filters.
  const sums = useQuery({
    queryKey: ['list', page.key, 'sums', filters],
    queryFn: async ({ signal }) => (await fetchPage({ page: 1, limit: 1, sums: 'only' }, signal)).sums,
    enabled: hasSums && reply.isSuccess,
    retry: false,
  });

  const { list, ...totals } = reply.data ?? empty;
  // The same from answer to answer, and so is whatever is made of it: rows that change by themselves draw nothing else again.
  const { refetch } = reply;
  const isExact = exact?.asked === asked;
  const total = isExact ? exact.total : totals.total;
  const capped = totals.capped === true && !isExact;
  const last = clampPage(state.page, state.limit, total);
  const beyond = reply.isSuccess && !reply.isPlaceholderData && !capped && last < state.page;
  useEffect(() => {
    if (beyond) go({ page: last }, true);
  });

  return {
    state,
    rows: list,
    total,
    capped,
    sums: hasSums ? (sums.data ?? totals.sums) : undefined,
    loading: reply.isPending || beyond,
    refreshing: reply.isFetching && !reply.isPending,
    failed: reply.isError,
    refusal: reply.error instanceof CallError && reply.error.code !== transportFailure ? reply.error.message : undefined,
    reload: () => {
      void refetch();
      if (hasSums) void sums.refetch();
    },
    setPage: (next) => go({ page: next }),
    setLimit: (limit) => go({ limit, page: 1 }),
    setOrderby: (orderby) => go({ orderby }),
    setFilters: (next) => {
      const same = JSON.stringify(next) === JSON.stringify(state.filters) && state.page === 1;
      if (same) void refetch();
      else go({ filters: next, page: 1 });
    },
    countExactly: async () => {
      const { total } = await fetchPage({ page: 1, limit: limits.limit, count: 'exact' });
      setExact({ asked, total });
    },
  };
};
