import type { JsonObject } from '../../../protocol/shape.ts';
import { acApGroup } from '../../ac/ap-group.ts';
import { acSsid } from '../../ac/ssid.ts';
import { authPolicy } from '../../auth/policy.ts';
import { authPortal } from '../../auth/portal.ts';
import { networkDhcpServer } from '../../network/dhcp-server.ts';
import { networkLan } from '../../network/lan.ts';
import { networkVlan } from '../../network/vlan.ts';
import type { GuideWriter } from './guide-writer.ts';
import { poolIn } from './pool.ts';

const maxSsids = 8;
const lowest = 100;

/** A priority after all others; if the last one is used, the lowest free one. */
const freePriority = (rows: readonly JsonObject[]): number => {
  const taken = new Set(rows.map(({ priority }) => Number(priority ?? 0)));
  const next = Math.max(49, ...taken) + 1;
  if (next <= lowest) return next;
  return Array.from({ length: lowest }, (_, i) => lowest - i).find((priority) => !taken.has(priority)) ?? lowest;
};

/** One SSID on a separate VLAN, with DHCP and a portal. */
export const writeWifiPortal = (values: JsonObject, writer: GuideWriter) => {
  const [parent] = writer.rows(networkLan);
  const vlan = writer.row(
    networkVlan,
    ({ vlan_id }) => vlan_id === values.vlan_id,
    { vlan_id: 'vlan_id', ipaddr: 'gateway_ip' },
    { enabled: true },
    { name: `vlan${String(values.vlan_id)}`, purpose: 'crew', ...(parent?.name !== undefined && { parent: parent.name }) },
  );
  const name = String(vlan.name);
  writer.row(
    networkDhcpServer,
    (row) => row.interface === name,
    {},
    { enabled: true, mode: 'server', ...poolIn(values.gateway_ip) },
    { name, interface: name },
  );
  const ssid = writer.row(
    acSsid,
    (row) => row.ssid === values.ssid,
    {
      ssid: 'ssid',
      band: 'band',
      security: 'security',
      passphrase: 'passphrase',
      vlan_id: 'vlan_id',
      portal: 'portal_enabled',
      client_down: 'client_down',
      client_up: 'client_up',
    },
    { enabled: true },
    { name: String(values.ssid).slice(0, 25) },
  );
  // Access points broadcast the SSIDs of their group.
  writer.each(acApGroup, (row) => {
    const existing = Array.isArray(row.ssids) ? row.ssids : [];
    const isListed = existing.some((one) => typeof one === 'object' && one !== null && 'ssid' in one && one.ssid === ssid.name);
    return isListed || existing.length >= maxSsids ? row : { ...row, ssids: [...existing, { ssid: ssid.name ?? '' }] };
  });
  const policies = writer.rows(authPolicy);
  writer.row(
    authPolicy,
    (row) => row.interface === name,
    {},
    { enabled: true, method: values.portal_enabled === true ? 'portal' : 'none' },
    { name, interface: name, priority: freePriority(policies) },
  );
  if (values.portal_enabled === true) {
    const { portal_name: portalName } = writer.doc(authPortal);
    writer.form(
      authPortal,
      { portal_type: 'portal_type', enabled: 'portal_enabled' },
      { portal_name: portalName ?? String(values.ssid).slice(0, 15) },
    );
  }
};
