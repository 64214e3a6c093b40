import type { GatewayGroup, GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQueries, useQuery } from '@tanstack/react-query';

type Load = () => Promise<GatewayGroup>;

/** Pages of a gateway in one chunk per group, because operators open only a few of the 150 pages. */
const groups: Readonly<Record<string, Load>> = {
  ac: async () => (await import('@farlink/gateway/pages/ac/group.ts')).ac,
  advanced: async () => (await import('@farlink/gateway/pages/advanced/group.ts')).advanced,
  arbiter: async () => (await import('@farlink/gateway/pages/arbiter/group.ts')).arbiter,
  auth: async () => (await import('@farlink/gateway/pages/auth/group.ts')).auth,
  behavior: async () => (await import('@farlink/gateway/pages/behavior/group.ts')).behavior,
  defense: async () => (await import('@farlink/gateway/pages/defense/group.ts')).defense,
  diagnosis: async () => (await import('@farlink/gateway/pages/diagnosis/group.ts')).diagnosis,
  docker: async () => (await import('@farlink/gateway/pages/docker/group.ts')).docker,
  fence: async () => (await import('@farlink/gateway/pages/fence/group.ts')).fence,
  file: async () => (await import('@farlink/gateway/pages/file/group.ts')).file,
  guide: async () => (await import('@farlink/gateway/pages/guide/group.ts')).guide,
  hidden: async () => (await import('@farlink/gateway/pages/hidden/group.ts')).hidden,
  link_change: async () => (await import('@farlink/gateway/pages/link-change/group.ts')).linkChange,
  network: async () => (await import('@farlink/gateway/pages/network/group.ts')).network,
  qos: async () => (await import('@farlink/gateway/pages/qos/group.ts')).qos,
  quick_menu: async () => (await import('@farlink/gateway/pages/quick-menu/group.ts')).quickMenu,
  reporter: async () => (await import('@farlink/gateway/pages/reporter/group.ts')).reporter,
  satellite_route: async () => (await import('@farlink/gateway/pages/satellite-route/group.ts')).satelliteRoute,
  status: async () => (await import('@farlink/gateway/pages/status/group.ts')).status,
  telnet: async () => (await import('@farlink/gateway/pages/telnet/group.ts')).telnet,
  vpn: async () => (await import('@farlink/gateway/pages/vpn/group.ts')).vpn,
};

/** A page key starts with the key of its group. */
export const groupOf = (page: string): string | undefined => Object.keys(groups).find((key) => page.startsWith(`${key}_`));

export const loadPage = async (key: string): Promise<GatewayPage | null> => {
  const load = groups[groupOf(key) ?? ''];
  return (await load?.())?.pages.find((page) => page.key === key) ?? null;
};

const query = (key: string) => ({
  queryKey: ['schema', key],
  queryFn: () => loadPage(key),
  staleTime: Number.POSITIVE_INFINITY,
  // A chunk that failed to load is requested again.
  retry: 2,
});

/** A page by its key: undefined while loading, null if it does not exist. */
export const usePage = (key: string): GatewayPage | null | undefined => useQuery(query(key)).data;

/** The loaded pages. */
export const usePages = (keys: readonly string[]): ReadonlyMap<string, GatewayPage> => {
  const replies = useQueries({ queries: keys.map(query) });
  return new Map(replies.flatMap(({ data }) => (data ? [[data.key, data]] : [])));
};
