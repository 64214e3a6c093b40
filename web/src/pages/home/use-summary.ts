import type { LiveKind } from '@farlink/contract/device/live.ts';
import { homeCalls } from '@farlink/contract/home/home.ts';
import { limits } from '@farlink/contract/limits.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { refresh, useLive } from '../../kit/live/use-live.ts';
import { call } from '../../kit/net/call.ts';

const queryKey = ['home', 'summary'];
const kinds: readonly LiveKind[] = ['online', 'offline', 'link', 'section', 'command', 'authorization', 'record', 'user'];
const pauseMs = limits.homeRefreshS * 1000;
/** Bills and traffic have no events. */
const pollMs = 60_000;

/** Figures of the dashboard. An event refreshes them, at most every ten seconds; the last figures stay until the next arrive. */
export const useSummary = () => {
  const client = useQueryClient();
  const due = useRef<ReturnType<typeof setTimeout>>(undefined);
  const query = useQuery({
    queryKey,
    queryFn: () => call(homeCalls.summary, {}, { silent: true, overlay: false }),
    refetchInterval: pollMs,
    staleTime: pauseMs,
    retry: false,
  });
  useLive({ any: kinds, notices: true }, () => {
    if (due.current !== undefined) return;
    // The first read may still be under way.
    const readAt = client.getQueryState(queryKey)?.dataUpdatedAt || Date.now();
    const wait = Math.max(0, readAt + pauseMs - Date.now());
    due.current = setTimeout(() => {
      due.current = undefined;
      void refresh(client, queryKey);
    }, wait);
  });
  useEffect(
    () => () => {
      clearTimeout(due.current);
      due.current = undefined;
    },
    [],
  );
  return query;
};
