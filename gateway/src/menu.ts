import type { GatewayGroup, GatewayPage } from './kit/page.ts';
import { ac } from './pages/ac/group.ts';
import { advanced } from './pages/advanced/group.ts';
import { arbiter } from './pages/arbiter/group.ts';
import { auth } from './pages/auth/group.ts';
import { behavior } from './pages/behavior/group.ts';
import { defense } from './pages/defense/group.ts';
import { diagnosis } from './pages/diagnosis/group.ts';
import { docker } from './pages/docker/group.ts';
import { fence } from './pages/fence/group.ts';
import { file } from './pages/file/group.ts';
import { guide } from './pages/guide/group.ts';
import { hidden } from './pages/hidden/group.ts';
import { linkChange } from './pages/link-change/group.ts';
import { network } from './pages/network/group.ts';
import { qos } from './pages/qos/group.ts';
import { quickMenu } from './pages/quick-menu/group.ts';
import { reporter } from './pages/reporter/group.ts';
import { satelliteRoute } from './pages/satellite-route/group.ts';
import { status } from './pages/status/group.ts';
import { telnet } from './pages/telnet/group.ts';
import { vpn } from './pages/vpn/group.ts';

/** The configuration menu of a gateway, group by group. */
export const gatewayMenu: readonly GatewayGroup[] = [
  guide,
  status,
  network,
  satelliteRoute,
  fence,
  linkChange,
  arbiter,
  qos,
  vpn,
  behavior,
  ac,
  auth,
  defense,
  advanced,
  diagnosis,
  docker,
  file,
  reporter,
  quickMenu,
  hidden,
  telnet,
];

export const gatewayPages: ReadonlyMap<string, GatewayPage> = new Map(
  gatewayMenu.flatMap(({ pages }) => pages.map((page) => [page.key, page])),
);
