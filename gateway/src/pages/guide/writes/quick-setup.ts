import type { JsonObject } from '../../../protocol/shape.ts';
import { advancedAdmin } from '../../advanced/admin.ts';
import { advancedDeviceInfo } from '../../advanced/device-info.ts';
import { advancedTime } from '../../advanced/time.ts';
import { networkDhcpServer } from '../../network/dhcp-server.ts';
import { networkLan } from '../../network/lan.ts';
import { networkWan } from '../../network/wan.ts';
import { poolIn } from './pool.ts';
import type { Writing } from './writing.ts';

const lanPorts = ['eth1', 'eth2', 'eth3'];

/** A name that no other row uses. */
const freeName = (rows: readonly JsonObject[], wanted: string): string => {
  const taken = new Set(rows.map((row) => row.name));
  const names = [wanted, ...Array.from({ length: 9 }, (_, i) => `${wanted}${i + 2}`)];
  return names.find((name) => !taken.has(name)) ?? wanted;
};

/** Writes identity, administrator, first uplink, LAN and DHCP. */
export const writeQuickSetup = (values: JsonObject, to: Writing) => {
  to.form(advancedDeviceInfo, { device_name: 'device_name', language: 'language' });
  to.form(advancedTime, { timezone: 'timezone' }, { zone_mode: 'manual' });
  to.row(
    advancedAdmin,
    ({ username }) => username === 'admin',
    { password: 'admin_password' },
    { enabled: true },
    { username: 'admin', role: 'super' },
  );
  to.row(
    networkWan,
    ({ port }) => port === values.wan_port,
    {
      port: 'wan_port',
      link_type: 'wan_link_type',
      proto: 'wan_proto',
      ipaddr: 'wan_ipaddr',
      gateway: 'wan_gateway',
      pppoe_username: 'pppoe_username',
      pppoe_password: 'pppoe_password',
    },
    { enabled: true },
    { name: freeName(to.rows(networkWan), `wan_${String(values.wan_link_type)}`) },
  );
  const used = new Set(to.rows(networkWan).map(({ port }) => port));
  const ports = lanPorts.filter((port) => !used.has(port)).map((port) => ({ port }));
  const [first] = to.rows(networkLan);
  const lan = to.row(
    networkLan,
    (row) => row === first,
    { ipaddr: 'lan_ipaddr' },
    { enabled: true },
    { name: 'lan', purpose: 'crew', ports },
  );
  const serves = (row: JsonObject) => row.interface === lan.name;
  if (values.dhcp_enabled === true)
    to.row(
      networkDhcpServer,
      serves,
      { start: 'dhcp_start', end: 'dhcp_end', enabled: 'dhcp_enabled' },
      { mode: 'server' },
      { name: freeName(to.rows(networkDhcpServer), String(lan.name)), interface: String(lan.name) },
    );
  else if (to.rows(networkDhcpServer).some(serves))
    // A disabled pool must still be valid.
    to.row(networkDhcpServer, serves, { enabled: 'dhcp_enabled' }, { enabled: false, ...poolIn(values.lan_ipaddr) });
};
