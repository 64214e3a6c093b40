import { errors } from '@farlink/contract/errors.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { useQuery } from '@tanstack/react-query';
import { CallError, call } from '../net/call.ts';
import { isRow } from '../net/wire.ts';

export interface Loaded {
  readonly record: AnyRow | undefined;
  /** The record does not exist, or this session cannot see it. */
  readonly isMissing: boolean;
  readonly failed: boolean;
  /** Loaded since this page was mounted, not from the cache. */
  readonly isFetchedAfterMount: boolean;
  readonly reload: () => void;
}

/** One record by its id, or that of the session if the call has no id in its path; loaded again after each action on it. */
export const useRecord = (read: Endpoint, id: number): Loaded => {
  const { data, error, refetch, isFetchedAfterMount } = useQuery({
    queryKey: ['record', read.path, id],
    queryFn: async () => {
      const reply: unknown = await call(read, read.path.includes('{id}') ? { id } : {}, { silent: true, overlay: false });
      if (!isRow(reply)) throw new Error(`${read.path} returns no record`);
      return reply;
    },
    retry: false,
  });
  const isMissing = error instanceof CallError && error.code === errors.not_found.code;
  return {
    record: isMissing ? undefined : data,
    isMissing,
    failed: error !== null && data === undefined,
    isFetchedAfterMount,
    reload: () => void refetch(),
  };
};
