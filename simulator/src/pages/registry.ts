import { authLog, defenseLog } from './log/access.ts';
import { contentLog, identityLog, urlLog } from './log/behavior.ts';
import { decisionLog, fenceLog, linkLog } from './log/links.ts';
import { signalLog } from './log/satellite.ts';
import { systemLog } from './log/system.ts';
import { dockerLog, fileLog, reporterLog } from './log/work.ts';
import type { LogReader, StatusReader } from './row.ts';
import { distribution } from './status/files.ts';
import { interfaces, routes } from './status/interfaces.ts';
import { link } from './status/links.ts';
import { overview } from './status/overview.ts';
import { arbiter, fences, qos } from './status/policies.ts';
import { satelliteOverview } from './status/satellite.ts';
import { appTraffic, leases, onlineUsers, sessions, stations, terminals } from './status/terminals.ts';
import { vpn } from './status/tunnels.ts';

export const statusPages: Readonly<Record<string, StatusReader>> = {
  status_overview: overview,
  status_link: link,
  status_interface: interfaces,
  status_terminal: terminals,
  status_online_user: onlineUsers,
  status_session: sessions,
  status_app_traffic: appTraffic,
  status_route_table: routes,
  network_dhcp_lease: leases,
  satellite_route_overview: satelliteOverview,
  fence_status: fences,
  arbiter_status: arbiter,
  qos_status: qos,
  vpn_status: vpn,
  ac_station: stations,
  file_distribution: distribution,
};

export const logPages: Readonly<Record<string, LogReader>> = {
  status_system_log: systemLog,
  auth_log: authLog,
  link_change_log: linkLog,
  fence_log: fenceLog,
  satellite_route_signal_log: signalLog,
  arbiter_decision_log: decisionLog,
  behavior_url_log: urlLog,
  behavior_content_log: contentLog,
  behavior_identity_log: identityLog,
  defense_log: defenseLog,
  docker_log: dockerLog,
  file_log: fileLog,
  reporter_log: reporterLog,
};
