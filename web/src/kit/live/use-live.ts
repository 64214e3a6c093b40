import type { LiveKind, LiveUpdate } from '@farlink/contract/device/live.ts';
import type { Endpoint, Listing } from '@farlink/contract/kit/endpoint.ts';
import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { type Watch, watchLive } from './live.ts';
import { patchRow, patchRows } from './live-rows.ts';

/** Invalidates queries after a running fetch, which may have started before the event. Cancelling it every second would never finish. */
export const refresh = async (client: QueryClient, queryKey: QueryKey) => {
  const isUnderWay = client.isFetching({ queryKey }) > 0;
  await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  if (isUnderWay) await client.invalidateQueries({ queryKey }, { cancelRefetch: false });
};

/** Receives live updates of devices, at most once per second; first `begun`, then the current state. */
export const useLive = ({ ids = [], any = [], notices = false }: Watch, onUpdate: (update: LiveUpdate) => void) => {
  const handleUpdate = useEffectEvent(onUpdate);
  const key = JSON.stringify({ ids, any, notices });
  useEffect(() => watchLive({ ...JSON.parse(key), onUpdate: handleUpdate }), [key]);
};

/** The ids of the rows that a list shows. */
const useShownIds = (pageKey: string): readonly number[] => {
  const client = useQueryClient();
  const read = () =>
    client
      .getQueriesData<Listing<AnyRow>>({ queryKey: ['list', pageKey], type: 'active' })
      .flatMap(([, old]) => old?.list.map((row) => row.id) ?? [])
      .join(',');
  const shown = useSyncExternalStore((changed) => client.getQueryCache().subscribe(changed), read);
  return shown === '' ? [] : shown.split(',').map(Number);
};

/** Updates the rows of a device list live. */
export const useLiveList = (pageKey: string) => {
  const client = useQueryClient();
  useLive({ ids: useShownIds(pageKey) }, ({ rows = [], gone = [] }) => {
    client.setQueriesData<Listing<AnyRow>>({ queryKey: ['list', pageKey], type: 'active' }, (old) => {
      const list = old && patchRows(old.list, rows);
      return old && list !== old.list ? { ...old, list: list ?? [] } : old;
    });
    if (gone.length > 0) void refresh(client, ['list', pageKey]);
  });
};

/** Updates the record of one device live, as read by `useRecord`. */
export const useLiveRecord = (read: Endpoint, id: number, onUpdate?: (update: LiveUpdate) => void) => {
  const client = useQueryClient();
  useLive({ ids: [id] }, (update) => {
    const columns = update.rows?.[0]?.columns;
    if (columns) client.setQueryData<AnyRow>(['record', read.path, id], (old) => old && patchRow(old, columns));
    if (update.gone?.length) void refresh(client, ['record', read.path, id]);
    onUpdate?.(update);
  });
};

/** Invalidates queries when one of these events occurs, at these devices or at any visible one. */
export const useLiveRefresh = (queryKey: QueryKey, what: readonly LiveKind[], ids?: readonly number[]) => {
  const client = useQueryClient();
  useLive(ids ? { ids } : { any: what }, ({ rows = [], any = [], begun }) => {
    if (begun || any.length > 0 || rows.some((row) => row.what.some((kind) => what.includes(kind)))) void refresh(client, queryKey);
  });
};
