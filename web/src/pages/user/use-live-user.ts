import type { AnyRow } from '@farlink/contract/kit/resource.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { refresh, useLive } from '../../kit/live/use-live.ts';
import { useServiceStatus } from './use-service-status.ts';

const kinds: readonly string[] = ['user', 'online', 'offline'];

const keysOf = (id: number): QueryKey[] => [
  ['record', userDetailCalls.serviceStatus.path, id],
  ['record', userCalls.read.path, id],
  ...['service', 'packages', 'online', 'rejections'].map((tab) => ['list', `user-${tab}`]),
];

/** Updates the page of an account when one of its gateways reports something. */
export const useLiveUser = (id: number, user: AnyRow | undefined) => {
  const client = useQueryClient();
  const { data } = useServiceStatus(id);
  const bound = typeof user?.device_id === 'number' ? [user.device_id] : [];
  const ids = [...new Set([...(data?.sync.gateways.map(({ device_id }) => device_id) ?? []), ...bound])];
  useLive(ids.length > 0 ? { ids } : { any: ['user'] }, ({ rows = [], any = [], begun }) => {
    if (!begun && any.length === 0 && !rows.some(({ what }) => what.some((kind) => kinds.includes(kind)))) return;
    for (const key of keysOf(id)) void refresh(client, key);
  });
};
