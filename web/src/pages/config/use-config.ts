import { configCalls } from '@farlink/contract/config/config.ts';
import type { LiveKind } from '@farlink/contract/device/live.ts';
import { errors } from '@farlink/contract/errors.ts';
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { refresh, useLive } from '../../kit/live/use-live.ts';
import { CallError, call } from '../../kit/net/call.ts';

const background = { silent: true, overlay: false } as const;

/** Query keys of the configuration of a device. */
export const configKey = (device_id: number) => ['config', device_id] as const;
export const pageKey = (device_id: number, page: string) => [...configKey(device_id), 'page', page] as const;

export const useTree = (device_id: number) =>
  useQuery({ queryKey: [...configKey(device_id), 'tree'], queryFn: () => call(configCalls.tree, { device_id }, background) });

export const usePageData = (device_id: number, page: string) =>
  useQuery({ queryKey: pageKey(device_id, page), queryFn: () => call(configCalls.page, { device_id, page }, background) });

export const useReview = (device_id: number) =>
  useQuery({
    queryKey: [...configKey(device_id), 'review'],
    queryFn: () => call(configCalls.review, { device_id }, background),
    gcTime: 0,
  });

export const isMissing = (error: Error | null) => error instanceof CallError && error.code === errors.not_found.code;

export const refreshConfig = (client: QueryClient, device_id: number) => refresh(client, configKey(device_id));

/** Events that change a configuration state: replies of the gateway, online, offline, link changes. */
const kinds: readonly LiveKind[] = ['section', 'command', 'online', 'offline', 'link', 'record'];

/** Updates the shown configuration live. */
export const useLiveConfig = (device_id: number) => {
  const client = useQueryClient();
  useLive({ ids: [device_id] }, ({ rows = [], gone = [], begun }) => {
    if (begun || gone.length > 0 || rows.some(({ what }) => what.some((kind) => kinds.includes(kind))))
      void refreshConfig(client, device_id);
  });
};
