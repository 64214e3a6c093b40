import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { singleText } from '@farlink/contract/kit/values.ts';
import type { JsonObject } from '../protocol/shape.ts';
import { isHostIn, isInside, isIpv4, overlap, type Subnet, subnetOf } from './address.ts';
import { rowsOf } from './document.ts';
import { type DocPosition, eachPosition, isEnabled, linesOf, numberOf, positionsOf } from './page-rules.ts';
import type { DocOf, PageRule, Problem, RuleProblem } from './problem.ts';

/**
 * Address plan: addresses are in the subnet of their interface, and subnets do not overlap each other. Local subnets contain no device behind
 * a link.
 */

const isList = { kind: 'list' };

interface LanNetwork extends Subnet {
  readonly section: string;
  readonly path: string;
  /** Name of the interface. */
  readonly name: string;
}

const networkAt = (section: string, { values, at }: DocPosition, owner: JsonObject): LanNetwork[] => {
  const subnet = subnetOf(singleText(values.ipaddr) ?? '');
  return subnet ? [{ ...subnet, section, path: `${at}ipaddr`, name: singleText(owner.name) ?? '' }] : [];
};

/** The subnets of the interfaces of a page, including secondary ones. */
const networksOf = (section: string, docOf: DocOf, only: (position: DocPosition) => boolean = () => true): LanNetwork[] =>
  positionsOf(isList, docOf(section))
    .filter(only)
    .flatMap((position) => [position, ...linesOf(position, 'secondary')].flatMap((one) => networkAt(section, one, position.values)));

const interfacePages = ['network_wan', 'network_lan', 'network_vlan'];

const networksByName = (docOf: DocOf) =>
  Map.groupBy(
    interfacePages.flatMap((section) => networksOf(section, docOf)),
    ({ name }) => name,
  );

/** What the rows of a page are called, and the field that names each of them. */
interface RowTitle {
  readonly title: Text;
  readonly key: string;
}

const notInside: Text = ['不在接口“{0}”的网段内', 'Not in the subnet of interface "{0}"'];
const outsideSubnet: Text = ['{0}“{1}”的地址{2}不在此网段内', '{0} "{1}" has address {2}, which is not in this subnet'];
const noHost: Text = ['是接口“{0}”网段的网络地址或广播地址', 'The network or broadcast address of interface "{0}"'];
const noHostOfSubnet: Text = [
  '{0}“{1}”的地址{2}是此网段的网络地址或广播地址',
  '{0} "{1}" has address {2}, which is the network or broadcast address of this subnet',
];

/** The addresses of a row must be hosts in one subnet of the interface that it refers to. */
export const insideInterface = ({ title, key }: RowTitle, ...fields: readonly string[]): PageRule => ({
  reads: interfacePages,
  test: (doc, docOf, page) => {
    const all = networksByName(docOf);
    return positionsOf(page, doc).flatMap(({ values, at }): RuleProblem[] => {
      const own = all.get(singleText(values.interface) ?? '') ?? [];
      const addresses = fields.flatMap((name) => {
        const ip = values[name];
        return typeof ip === 'string' && isIpv4(ip) ? [{ name, ip }] : [];
      });
      const [first] = addresses;
      const network = own.find((one) => first && isInside(first.ip, one)) ?? own[0];
      if (!network) return [];
      return addresses
        .filter(({ ip }) => !isHostIn(ip, network))
        .map(({ name, ip }) => {
          const [text, other] = isInside(ip, network) ? [noHost, noHostOfSubnet] : [notInside, outsideSubnet];
          return {
            path: `${at}${name}`,
            text: fill(text, network.name),
            against: { section: network.section, path: network.path, text: fill(other, title, singleText(values[key]) ?? '', ip) },
          };
        });
    });
  },
});

const ownAddress: Text = ['与接口“{0}”自身的地址冲突', 'Conflicts with the address of interface "{0}"'];
const assigned: Text = ['{0}“{1}”占用此地址', '{0} "{1}" uses this address'];

/** The addresses of a row must not include the address of its interface, unless it is a line of `exclude`. */
export const avoidsInterface = ({ title, key }: RowTitle, start: string, end: string, exclude?: string): PageRule => ({
  reads: interfacePages,
  test: (doc, docOf, page) => {
    const all = networksByName(docOf);
    return positionsOf(page, doc).flatMap((position): RuleProblem[] => {
      const { values, at } = position;
      const from = numberOf(values[start]);
      const to = numberOf(values[end]);
      const excluded = new Set(exclude === undefined ? [] : linesOf(position, exclude).map((line) => numberOf(line.values.ip)));
      const own = all.get(singleText(values.interface) ?? '') ?? [];
      if (from === undefined || to === undefined) return [];
      const network = own.find(({ address }) => address >= from && address <= to && !excluded.has(address));
      if (!network) return [];
      const against = { section: network.section, path: network.path, text: fill(assigned, title, singleText(values[key]) ?? '') };
      return [{ path: `${at}${network.address === to ? end : start}`, text: fill(ownAddress, network.name), against }];
    });
  },
});

/** Devices behind links, with the field of their address. Disabled ones cause no conflict. */
const devices: readonly (readonly [section: string, field: string, kind: string, title: Text])[] = [
  ['satellite_route_modem', 'mgmt_ip', 'list', ['调制解调器', 'the modem']],
  ['satellite_route_antenna', 'acu_ip', 'list', ['天线ACU', 'the antenna controller']],
  ['satellite_route_lband', 'mgmt_ip', 'form', ['L波段终端', 'the L-band terminal']],
  ['satellite_route_leo', 'dish_ip', 'form', ['低轨终端', 'the LEO terminal']],
];

const addressesOf = (docOf: DocOf) =>
  devices.flatMap(([section, field, kind, title]) =>
    positionsOf({ kind }, docOf(section))
      .filter(isEnabled)
      .flatMap(({ values }) => {
        const ip = values[field];
        return typeof ip === 'string' && isIpv4(ip) ? [{ ip, title }] : [];
      }),
  );

const overlaps: Text = ['与接口“{0}”的网段重叠', 'Overlaps the subnet of interface "{0}"'];
const covers: Text = ['网段包含{0}的地址{1}', 'Contains {1}, the address of {0}'];
const covered: Text = ['与接口“{0}”的网段冲突', 'Conflicts with the subnet of interface "{0}"'];

const conflictsOf = (network: LanNetwork, others: readonly LanNetwork[], behindLinks: ReturnType<typeof addressesOf>): Problem[] => {
  const other = others.find((one) => overlap(one, network));
  if (other) return [{ path: network.path, text: fill(overlaps, other.name) }];
  const device = behindLinks.find(({ ip }) => isInside(ip, network));
  return device ? [{ path: network.path, text: fill(covers, device.title, device.ip) }] : [];
};

const localPages = ['network_lan', 'network_vlan'];

/** The subnets of this page must not overlap each other or those of the other pages. Only a WAN may contain a device behind a link. */
export const subnetsApart: PageRule = {
  test: (_doc, docOf, { key }) => {
    const own = networksOf(key, docOf, isEnabled);
    const others = interfacePages.filter((section) => section !== key).flatMap((section) => networksOf(section, docOf, isEnabled));
    const behindLinks = localPages.includes(key) ? addressesOf(docOf) : [];
    return own.flatMap((network, i) => conflictsOf(network, [...own.slice(0, i), ...others], behindLinks));
  },
};

/** The same check for the subnet that a wizard assigns to this VLAN, which may be new. */
export const subnetFree = (field: string, vlan: string): PageRule =>
  eachPosition(({ values, at }, _fields, docOf) => {
    const subnet = subnetOf(singleText(values[field]) ?? '');
    const others = interfacePages.flatMap((section) =>
      networksOf(section, docOf, (one) => isEnabled(one) && (section !== 'network_vlan' || one.values.vlan_id !== values[vlan])),
    );
    return subnet ? conflictsOf({ ...subnet, section: '', path: `${at}${field}`, name: '' }, others, addressesOf(docOf)) : [];
  });

/** A device behind a link must not be in a local subnet. */
export const outsideLans = (...fields: readonly string[]): PageRule =>
  eachPosition((position, _fields, docOf) => {
    if (!isEnabled(position)) return [];
    const networks = localPages.flatMap((section) => networksOf(section, docOf, isEnabled));
    return fields.flatMap((field): Problem[] => {
      const ip = position.values[field];
      const network = typeof ip === 'string' && isIpv4(ip) ? networks.find((one) => isInside(ip, one)) : undefined;
      return network ? [{ path: `${position.at}${field}`, text: fill(covered, network.name) }] : [];
    });
  });

/** Subnets behind a router in a local subnet. */
const routedNetworks = (docOf: DocOf): Subnet[] => {
  const local = new Set(localPages.flatMap((section) => rowsOf(docOf(section)).map(({ name }) => name)));
  return positionsOf(isList, docOf('network_static_route'))
    .filter((route) => isEnabled(route) && route.values.interface !== undefined && local.has(route.values.interface))
    .flatMap(({ values }) => subnetOf(singleText(values.destination) ?? '') ?? []);
};

const notLocal: Text = ['不在任何本地网段内', 'Not in a local subnet'];

/** The address must be that of a host on board. */
export const insideLans = (field: string): PageRule => ({
  test: (doc, docOf, page) => {
    const local = localPages.flatMap((section) => networksOf(section, docOf));
    const routed = routedNetworks(docOf);
    return positionsOf(page, doc).flatMap(({ values, at }): Problem[] => {
      const ip = values[field];
      if (typeof ip !== 'string' || local.some((one) => isHostIn(ip, one)) || routed.some((one) => isInside(ip, one))) return [];
      return [{ path: `${at}${field}`, text: notLocal }];
    });
  },
});

const namedTwice: Text = ['接口标识已被{0}使用', 'The interface name is used by {0}'];
const named: readonly (readonly [section: string, title: Text])[] = [
  ['network_wan', ['WAN设置', 'WAN']],
  ['network_lan', ['LAN设置', 'LAN']],
  ['network_vlan', ['VLAN设置', 'VLAN']],
  ['vpn_wireguard', ['WireGuard', 'WireGuard']],
  ['vpn_gre', ['GRE隧道', 'GRE']],
];
/** Interface names must be unique across pages, because references do not include the page. */
export const interfaceNamedOnce: PageRule = {
  test: (doc, docOf, page) => {
    const others = named
      .filter(([section]) => section !== page.key)
      .map(([section, title]) => ({ title, names: new Set(rowsOf(docOf(section)).map((row) => row.name)) }));
    return positionsOf(page, doc).flatMap(({ values, at }): Problem[] => {
      const other = others.find(({ names }) => names.has(values.name));
      return other ? [{ path: `${at}name`, text: fill(namedTwice, other.title) }] : [];
    });
  },
};
