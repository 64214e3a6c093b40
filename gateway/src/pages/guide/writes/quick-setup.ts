import type { JsonObject } from '../../../protocol/shape.ts';
import { advancedAdmin } from '../../advanced/admin.ts';
import { advancedDeviceInfo } from '../../advanced/device-info.ts';
import { advancedTime } from '../../advanced/time.ts';
import { networkDhcpServer } from '../../network/dhcp-server.ts';
import { networkLan } from '../../network/lan.ts';
import { networkWan } from '../../network/wan.ts';
import type { GuideWriter } from './guide-writer.ts';
import { poolIn } from './pool.ts';

const lanPorts = ['eth1', 'eth2', 'eth3'];

/** A name that no other row uses. */
const freeName = (rows: readonly JsonObject[], preferred: string): string => {
  const taken = new Set(rows.map((row) => row.name));
  const names = [preferred, ...Array.from({ length: 9 }, (_, i) => `${preferred}${i + 2}`)];
  return names.find((name) => !taken.has(name)) ?? preferred;
};

/** Writes identity, administrator, first uplink, LAN and DHCP. */
export const writeQuickSetup = (values: JsonObject, writer: GuideWriter) => {
  writer.form(advancedDeviceInfo, { device_name: 'device_name', language: 'language' });
  writer.form(advancedTime, { timezone: 'timezone' }, { zone_mode: 'manual' });
  writer.row(
    advancedAdmin,
    ({ username }) => username === 'admin',
    { password: 'admin_password' },
    { enabled: true },
    { username: 'admin', role: 'super' },
  );
  writer.row(
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
    { name: freeName(writer.rows(networkWan), `wan_${String(values.wan_link_type)}`) },
  );
  const used = new Set(writer.rows(networkWan).map(({ port }) => port));
  const ports = lanPorts.filter((port) => !used.has(port)).map((port) => ({ port }));
  const [first] = writer.rows(networkLan);
  const lan = writer.row(
    networkLan,
    (row) => row === first,
    { ipaddr: 'lan_ipaddr' },
    { enabled: true },
    { name: 'lan', purpose: 'crew', ports },
  );
  const serves = (row: JsonObject) => row.interface === lan.name;
  if (values.dhcp_enabled === true)
    writer.row(
      networkDhcpServer,
      serves,
      { start: 'dhcp_start', end: 'dhcp_end', enabled: 'dhcp_enabled' },
      { mode: 'server' },
      { name: freeName(writer.rows(networkDhcpServer), String(lan.name)), interface: String(lan.name) },
    );
  else if (writer.rows(networkDhcpServer).some(serves))
    // A disabled pool must still be valid.
    writer.row(networkDhcpServer, serves, { enabled: 'dhcp_enabled' }, { enabled: false, ...poolIn(values.lan_ipaddr) });
};
