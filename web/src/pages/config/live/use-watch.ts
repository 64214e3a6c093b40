import { type PageReading, watchCalls } from '@farlink/contract/config/watch.ts';
import type { LiveKind } from '@farlink/contract/device/live.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { refresh, useLive } from '../../../kit/live/use-live.ts';
import { call } from '../../../kit/net/call.ts';

/** A request makes the gateway report for a minute; it is renewed earlier, or once per minute on a metered link. */
const renewMs = 20_000;
const meteredMs = 60_000;
const waitMs = 2000;

const kinds: readonly LiveKind[] = ['reading', 'online', 'offline', 'link'];

export interface Watched {
  readonly reading: PageReading | undefined;
  /** The last request failed, so the shown data can be old. */
  readonly failed: boolean;
  /** `performance.now()` of the response, used to compute the age. */
  readonly readAt: number;
  /** Requests a reading at once. */
  readonly refresh: () => void;
}

/** Keeps a gateway page up to date while it is open. */
export const useWatch = (device_id: number, page: string, isPaused: boolean): Watched => {
  const client = useQueryClient();
  const requestedAt = useRef(Number.NEGATIVE_INFINITY);
  const queryKey = ['config-watch', device_id, page];
  const { data, isError, fetchStatus } = useQuery({
    queryKey,
    queryFn: async () => {
      const cached = client.getQueryData<{ reading: PageReading }>(queryKey)?.reading;
      const due = performance.now() - requestedAt.current >= (cached?.metered ? meteredMs : renewMs) - 500;
      const ask = due && !isPaused;
      if (ask) requestedAt.current = performance.now();
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
    refresh: () => {
      requestedAt.current = Number.NEGATIVE_INFINITY;
      void client.invalidateQueries({ queryKey });
    },
  };
};
