import { isInside, subnetOf } from '@farlink/gateway/kit/address.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { networkOfType } from '@farlink/gateway/kit/link-type.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { LinkName, Radio } from '../radio.ts';
import type { Sections } from '../sections.ts';
import { wiring } from './first-boot.ts';

/** Effect of the configuration on the uplinks: a link that is configured wrongly carries no traffic, even with good signal. */

/** The peer replies only on the correct port, untagged, by DHCP or within the subnet of its static address. */
const isWorking = (row: JsonObject, link: LinkName, radio: Radio): boolean => {
  if (row.enabled === false || row.port !== wiring[link].port || row.vlan_enabled === true) return false;
  if (row.proto !== 'static') return row.proto === 'dhcp';
  const subnet = subnetOf(String(row.ipaddr));
  return row.gateway === radio.gatewayOf(link) && subnet !== undefined && isInside(radio.gatewayOf(link), subnet);
};

/** Sections with a switch that disables the link. */
const switches: Readonly<Partial<Record<LinkName, string>>> = {
  lte: 'network_cellular',
  l_band: 'satellite_route_lband',
  low_orbit: 'satellite_route_leo',
};

const isSet = (value: unknown) => value !== undefined;
const narrows = ['src', 'src_port', 'dst_port', 'source_group', 'dst_group', 'time_group'];

/** Links on which the firewall blocks outgoing traffic of the gateway. The first rule without a narrower match decides. */
const walled = (rules: readonly JsonObject[], fitted: readonly LinkName[], nameOf: (link: LinkName) => string): Set<LinkName> => {
  const decided = new Map<LinkName, boolean>();
  const general = rules.filter(
    (rule) =>
      rule.enabled !== false &&
      rule.direction === 'out' &&
      ['any', 'tcp', 'tcp_udp'].includes(String(rule.protocol ?? 'any')) &&
      !narrows.some((field) => isSet(rule[field])) &&
      (!isSet(rule.dst) || rule.dst === '0.0.0.0/0'),
  );
  for (const rule of general.toSorted((a, b) => Number(a.order) - Number(b.order)))
    for (const link of fitted)
      if (!decided.has(link) && (!isSet(rule.out_interface) || rule.out_interface === nameOf(link)))
        decided.set(link, rule.action !== 'accept');
  return new Set(fitted.filter((link) => decided.get(link)));
};

/** Links that carry no traffic with this configuration. Without section `network_wan` every link works. */
export const barredLinks = (sections: Sections, radio: Radio): ReadonlySet<LinkName> => {
  const { fitted } = radio;
  const wans = sections.get('network_wan');
  const rows = rowsOf(wans?.doc ?? {});
  const rowOf = (link: LinkName) => rows.filter((row) => networkOfType(row.link_type) === link);
  const rules = rowsOf(sections.get('defense_firewall_rule')?.doc ?? {});
  const behindWall = walled(rules, fitted, (link) =>
    String(rowOf(link).find((row) => isWorking(row, link, radio))?.name ?? wiring[link].name),
  );
  return new Set(
    fitted.filter((link) => {
      const off = switches[link];
      const isOff = off !== undefined && sections.get(off)?.doc.enabled === false;
      const isWrong = wans !== undefined && !rowOf(link).some((row) => isWorking(row, link, radio));
      return isOff || isWrong || behindWall.has(link);
    }),
  );
};

/** LAN address of the gateway. */
export const lanAddress = (sections: Sections): string =>
  String(rowsOf(sections.doc('network_lan'))[0]?.ipaddr ?? '192.168.10.1').replace(/\/.*/, '');

const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1';
const isSame = (host: unknown, other: string) => host === other || (isLoopback(String(host)) && isLoopback(other));

/** Whether the configured address is still that of the console. */
export const seeksConsole = (sections: Sections, console: string): boolean => {
  const { doc } = sections.get('advanced_cloud_platform') ?? {};
  return doc === undefined || (doc.enabled !== false && (isSame(doc.host, console) || isSame(doc.backup_host, console)));
};
