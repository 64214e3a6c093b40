import { deviceDetailCalls as calls } from '@farlink/contract/device/device-detail.ts';
import { type LiveKind, liveKinds } from '@farlink/contract/device/live.ts';
import { loadCalls } from '@farlink/contract/device/load.ts';
import { videoCalls } from '@farlink/contract/device/video.ts';
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { refresh, useLiveRecord } from '../../../kit/live/use-live.ts';
import { call } from '../../../kit/net/call.ts';

/** Query keys of the lists in the tabs. */
export const lists = { users: 'device-users', history: 'device-history', commands: 'device-commands', links: 'device-links' } as const;

const background = { silent: true, overlay: false } as const;

export const useDeviceNow = (id: number) =>
  useQuery({ queryKey: ['device', 'now', id], queryFn: () => call(calls.now, { id }, background) });

export const useTrack = (id: number, hours: number) =>
  useQuery({
    queryKey: ['device', 'track', id, hours],
    queryFn: () => call(calls.track, { id, hours }, background),
    placeholderData: (previous) => previous,
    refetchInterval: 300_000,
  });

export const useAccounts = (id: number) =>
  useQuery({ queryKey: ['device', 'accounts', id], queryFn: () => call(calls.accounts, { id }, background) });

export const useTrafficCheck = (id: number) =>
  useQuery({
    queryKey: ['device', 'traffic', id],
    queryFn: () => call(calls.trafficCheck, { id }, background),
    refetchInterval: 300_000,
  });

export const useInterval = (id: number) =>
  useQuery({ queryKey: ['device', 'interval', id], queryFn: () => call(loadCalls.interval, { device_id: id }, background) });

export const useVideo = (id: number) =>
  useQuery({ queryKey: ['device', 'video', id], queryFn: () => call(videoCalls.read, { device_id: id }, background) });

/** Queries that are loaded again after an event. */
const affected = (id: number): Readonly<Partial<Record<LiveKind, readonly QueryKey[]>>> => {
  const now: QueryKey = ['device', 'now', id];
  const history: QueryKey = ['list', lists.history];
  const accounts: QueryKey = ['device', 'accounts', id];
  return {
    online: [now, history, accounts],
    offline: [now, history, accounts],
    status: [now],
    link: [now, ['list', lists.links]],
    event: [history, ['device', 'traffic', id]],
    section: [now, ['device', 'interval', id], ['device', 'video', id]],
    command: [now, ['list', lists.commands]],
    user: [['list', lists.users], accounts],
  };
};

/** Updates the whole page of a device live. */
export const useLiveDevice = (id: number) => {
  const client = useQueryClient();
  useLiveRecord(calls.read, id, ({ rows = [], begun }) => {
    const keys = affected(id);
    const kinds = begun ? liveKinds : rows.flatMap(({ what }) => what);
    const stale = new Map(kinds.flatMap((kind) => (keys[kind] ?? []).map((key) => [JSON.stringify(key), key])));
    for (const queryKey of stale.values()) void refresh(client, queryKey);
  });
};
