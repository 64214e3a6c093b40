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
import type { ListStateStore } from './use-list-state.ts';

/** A page with a list; the topology has none. */
export type ListPage = Page & { readonly list: NonNullable<Page['list']>; readonly resource: Resource };

export interface List {
  readonly state: ListState;
  readonly rows: readonly AnyRow[];
  readonly total: number;
  readonly capped: boolean;
  /** Sums over all filtered rows, by column. */
  readonly sums: Listing<AnyRow>['sums'];
  /** Requests sums that are too expensive to be read with each page; undefined if they are shown or there are none. */
  readonly requestSums: (() => void) | undefined;
  /** Time until which the rows are complete; undefined if the list has none. */
  readonly asOf: number | null | undefined;
  /** The first load is running. */
  readonly loading: boolean;
  /** Old rows stay dimmed while new ones load. */
  readonly refreshing: boolean;
  readonly failed: boolean;
  /** Error message of the server, if any. */
  readonly refusal: string | undefined;
  readonly reload: () => void;
  readonly setPage: (page: number) => void;
  readonly setLimit: (limit: number) => void;
  readonly setOrderby: (orderby: string | undefined) => void;
  readonly setFilters: (filters: Filters) => void;
  readonly countExactly: () => Promise<void>;
}

const empty: Listing<AnyRow> = { total: 0, list: [] };

/** `more` are parameters that the page adds, such as a node chosen in a tree. */
export const useList = (page: ListPage, { state, update }: ListStateStore, more: Values = {}): List => {
  const filters: Values = { ...page.listParams, ...state.filters, ...more };
  const filterKey = JSON.stringify(filters);
  // The exact count is requested once per filter set, so that paging does not count a million rows again.
  const [exact, setExact] = useState<{ readonly filterKey: string; readonly total: number }>();
  // Filters whose sums were requested.
  const [summed, setSummed] = useState<string>();

  const hasSums = page.resource.sums !== undefined;
  const fetchPage = async (input: Values, signal?: AbortSignal) =>
    listingOf(await call(page.list, { ...input, filters }, { silent: true, signal }));
  const reply = useQuery({
    queryKey: ['list', page.key, filters, state.page, state.limit, state.orderby],
    // spec §7: an error of the list call is not notified; the table shows it.
    queryFn: ({ signal }) =>
      fetchPage({ page: state.page, limit: state.limit, orderby: state.orderby, ...(hasSums && { sums: 'later' }) }, signal),
    placeholderData: (previous, query) => (query?.queryKey[1] === page.key ? previous : undefined),
    retry: false,
  });

  // Sums of many bills are slow, so they are a separate request, once per filter set; of very many, only if the operator wants them.
  const isOnRequest = reply.data?.sums_on_request === true && summed !== filterKey;
  const sums = useQuery({
    queryKey: ['list', page.key, 'sums', filters],
    queryFn: async ({ signal }) => (await fetchPage({ page: 1, limit: 1, sums: 'only' }, signal)).sums,
    enabled: hasSums && reply.isSuccess && !reply.isPlaceholderData && !isOnRequest,
    retry: false,
  });

  const { list, ...totals } = reply.data ?? empty;
  // Stable between responses, so live row updates do not render other components.
  const { refetch } = reply;
  const isExact = exact?.filterKey === filterKey;
  const total = isExact ? exact.total : totals.total;
  const capped = totals.capped === true && !isExact;
  const last = clampPage(state.page, state.limit, total);
  const isBeyondLastPage = reply.isSuccess && !reply.isPlaceholderData && !capped && last < state.page;
  useEffect(() => {
    if (isBeyondLastPage) update({ page: last }, true);
  });

  return {
    state,
    rows: list,
    total,
    capped,
    sums: hasSums && !isOnRequest ? (sums.data ?? totals.sums) : undefined,
    requestSums: isOnRequest ? () => setSummed(filterKey) : undefined,
    asOf: totals.as_of,
    loading: reply.isPending || isBeyondLastPage,
    refreshing: reply.isFetching && !reply.isPending,
    failed: reply.isError,
    refusal: reply.error instanceof CallError && reply.error.code !== transportFailure ? reply.error.message : undefined,
    reload: () => {
      void refetch();
      if (hasSums && !isOnRequest) void sums.refetch();
    },
    setPage: (next) => update({ page: next }),
    setLimit: (limit) => update({ limit, page: 1 }),
    setOrderby: (orderby) => update({ orderby }),
    setFilters: (next) => {
      const same = JSON.stringify(next) === JSON.stringify(state.filters) && state.page === 1;
      if (same) void refetch();
      else update({ filters: next, page: 1 });
    },
    countExactly: async () => {
      const { total } = await fetchPage({ page: 1, limit: limits.limit, count: 'exact' });
      setExact({ filterKey, total });
    },
  };
};
