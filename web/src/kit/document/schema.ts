import type { GatewayGroup, GatewayPage } from '@farlink/gateway/kit/page.ts';
import { useQueries, useQuery } from '@tanstack/react-query';

type Load = () => Promise<GatewayGroup>;

/** The pages of a gateway, a group at a time: nobody opens all 150 of them. */
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

/** Keys of pages begin with that of their group. */
export const groupOf = (page: string): string | undefined => Object.keys(groups).find((key) => page.startsWith(`${key}_`));

export const loadPage = async (key: string): Promise<GatewayPage | null> => {
  const load = groups[groupOf(key) ?? ''];
  return (await load?.())?.pages.find((page) => page.key === key) ?? null;
};

const query = (key: string) => ({
  queryKey: ['schema', key],
  queryFn: () => loadPage(key),
  staleTime: Number.POSITIVE_INFINITY,
  // A part that did not arrive is asked for again.
  retry: 2,
});

/** A page by its key: undefined while it is on its way, null where there is none. */
export const usePage = (key: string): GatewayPage | null | undefined => useQuery(query(key)).data;

/** Those that have arrived. */
export const usePages = (keys: readonly string[]): ReadonlyMap<string, GatewayPage> => {
  const replies = useQueries({ queries: keys.map(query) });
  return new Map(replies.flatMap(({ data }) => (data ? [[data.key, data]] : [])));
};
