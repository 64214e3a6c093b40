import { isInside, subnetOf } from '@farlink/gateway/kit/address.ts';
import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { networkOfType } from '@farlink/gateway/kit/link-type.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { LinkName, Radio } from '../radio.ts';
import type { Sections } from '../sections.ts';
import { wiring } from './first-boot.ts';

/** What a configuration does to the way to the console: a link that is set up wrongly carries nothing, however good its radio. */

/** The other side answers on the port that the link hangs on, untagged, to DHCP or to the addresses of its own subnet. */
const isWorking = (row: JsonObject, link: LinkName, radio: Radio): boolean => {
  if (row.enabled === false || row.port !== wiring[link].port || row.vlan_enabled === true) return false;
  if (row.proto !== 'static') return row.proto === 'dhcp';
  const subnet = subnetOf(String(row.ipaddr));
  return row.gateway === radio.gatewayOf(link) && subnet !== undefined && isInside(radio.gatewayOf(link), subnet);
};

/** Sections that switch a link off altogether. */
const switches: Readonly<Partial<Record<LinkName, string>>> = {
  lte: 'network_cellular',
  l_band: 'satellite_route_lband',
  low_orbit: 'satellite_route_leo',
};

const isSet = (value: unknown) => value !== undefined;
const narrows = ['src', 'src_port', 'dst_port', 'source_group', 'dst_group', 'time_group'];

/** Links on which the firewall lets the gateway itself not go out; the first rule that speaks of everything decides. */
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

/** Links that carry nothing as it is configured. Without a word on WANs every link finds its own way. */
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

/** Its own address on board. */
export const lanAddress = (sections: Sections): string =>
  String(rowsOf(sections.doc('network_lan'))[0]?.ipaddr ?? '192.168.10.1').replace(/\/.*/, '');

const isLoopback = (host: string) => host === 'localhost' || host === '127.0.0.1';
const isSame = (host: unknown, other: string) => host === other || (isLoopback(String(host)) && isLoopback(other));

/** Whether it still looks for the console where the console is. */
export const seeksConsole = (sections: Sections, console: string): boolean => {
  const { doc } = sections.get('advanced_cloud_platform') ?? {};
  return doc === undefined || (doc.enabled !== false && (isSame(doc.host, console) || isSame(doc.backup_host, console)));
};
