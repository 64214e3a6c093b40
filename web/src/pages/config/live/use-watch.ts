import { type PageReading, watchCalls } from '@farlink/contract/config/watch.ts';
import type { LiveKind } from '@farlink/contract/device/live.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { refresh, useLive } from '../../../kit/live/use-live.ts';
import { call } from '../../../kit/net/call.ts';

/** The gateway tells for a minute; it is asked again well before that is over. Where each byte is billed, once a minute. */
const [renewMs, meteredMs, waitMs] = [20_000, 60_000, 2000];

const kinds: readonly LiveKind[] = ['reading', 'online', 'offline', 'link'];

export interface Watched {
  readonly reading: PageReading | undefined;
  /** The last look did not get through: what is shown may be old. */
  readonly failed: boolean;
  /** `performance.now()` when it was read: by it the age of what is shown is counted on. */
  readonly readAt: number;
  /** Asks at once. */
  readonly ask: () => void;
}

/** Keeps a page of a gateway as the gateway has it, as long as somebody looks. */
export const useWatch = (device_id: number, page: string, isPaused: boolean): Watched => {
  const client = useQueryClient();
  const asked = useRef(Number.NEGATIVE_INFINITY);
  const queryKey = ['config-watch', device_id, page];
  const { data, isError, fetchStatus } = useQuery({
    queryKey,
    queryFn: async () => {
      const held = client.getQueryData<{ reading: PageReading }>(queryKey)?.reading;
      const due = performance.now() - asked.current >= (held?.metered ? meteredMs : renewMs) - 500;
      const ask = due && !isPaused;
      if (ask) asked.current = performance.now();
      const reading = await call(watchCalls.watch, { device_id, page, ask }, { silent: true, overlay: false });
      return { reading, readAt: performance.now() };
    },
    refetchInterval: ({ state }) =>
      isPaused ? false : state.data?.reading.state === 'waiting' ? waitMs : state.data?.reading.metered ? meteredMs : renewMs,
    gcTime: 0,
  });
  useLive({ ids: [device_id] }, ({ rows = [], begun }) => {
    if (!isPaused && (begun || rows.some(({ what }) => what.some((kind) => kinds.includes(kind))))) void refresh(client, queryKey);
  });
  return {
    reading: data?.reading,
    failed: isError || fetchStatus === 'paused',
    readAt: data?.readAt ?? 0,
    ask: () => {
      asked.current = Number.NEGATIVE_INFINITY;
      void client.invalidateQueries({ queryKey });
    },
  };
};
