import { group } from '../../kit/page.ts';
import { statusAppTraffic } from './app-traffic.ts';
import { statusInterface } from './interface.ts';
import { statusLink } from './link.ts';
import { statusOnlineUser } from './online-user.ts';
import { statusOverview } from './overview.ts';
import { statusRouteTable } from './route-table.ts';
import { statusSession } from './session.ts';
import { statusSystemLog } from './system-log.ts';
import { statusTerminal } from './terminal.ts';

export const status = group(
  'status',
  ['状态监控', 'Status'],
  statusOverview,
  statusInterface,
  statusLink,
  statusTerminal,
  statusOnlineUser,
  statusAppTraffic,
  statusSession,
  statusRouteTable,
  statusSystemLog,
);
