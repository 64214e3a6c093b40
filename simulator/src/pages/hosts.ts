import type { Random } from '@farlink/contract/kit/random.ts';
import { subnetOf } from '@farlink/gateway/kit/address.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { macOf } from '../session.ts';

/** A network client on board: a subscriber's phone or ship equipment. */
export interface Host {
  readonly hostname: string;
  readonly ip: string;
  readonly mac: string;
  readonly vendor: string;
  readonly type: 'phone' | 'pc' | 'pad' | 'iot' | 'router';
  readonly access: 'wired' | 'wireless';
  readonly lan: string;
  readonly account: string;
  readonly since: number;
  /** Access point of the client; empty for a wired one. */
  readonly ap: string;
  readonly ssid: string;
  /** Current rate in kbit/s. */
  readonly up: number;
  readonly down: number;
  readonly sessions: number;
  readonly upBytes: number;
  readonly downBytes: number;
}

interface HostSource {
  readonly gateway: Pick<GatewayInternals, 'sn' | 'users' | 'fork' | 'view'>;
  readonly now: number;
  /** The uplink in use, if any. */
  readonly active: object | undefined;
  rows(section: string): readonly JsonObject[];
  moment(stream: string): Random;
  lasting(stream: string): Random;
}

const phones = [
  ['HUAWEI', 'HUAWEI-Mate-60', 'phone'],
  ['Xiaomi', 'Redmi-K70', 'phone'],
  ['Apple', 'iPhone', 'phone'],
  ['OPPO', 'OPPO-Find-X7', 'phone'],
  ['vivo', 'vivo-X100', 'phone'],
  ['HONOR', 'HONOR-Pad-9', 'pad'],
  ['Apple', 'iPad', 'pad'],
  ['Lenovo', 'ThinkPad', 'pc'],
] as const;

const fittings = [
  ['bridge-pc', 'Dell', 'pc', 'wired'],
  ['ecdis-gateway', 'Moxa', 'iot', 'wired'],
  ['cctv-nvr', 'Hikvision', 'iot', 'wired'],
  ['voip-ata', 'Grandstream', 'iot', 'wired'],
  ['office-printer', 'HP', 'iot', 'wireless'],
  ['engine-logger', 'Moxa', 'iot', 'wired'],
  ['crew-tv', 'Hisense', 'iot', 'wireless'],
] as const;

/** The first LAN, or the factory LAN. */
export const lanOf = (source: HostSource) => {
  const [row] = source.rows('network_lan');
  const ipaddr = String(row?.ipaddr ?? '192.168.10.1/24');
  return { name: String(row?.name ?? 'lan'), ipaddr, subnet: subnetOf(ipaddr) };
};

export const dotted = (n: number): string => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.');

const wirelessAt = (source: HostSource, random: Random) => {
  const up = source.gateway.view().aps.filter((ap) => ap.s === 1);
  const ap = up[random.int(0, up.length - 1)];
  const ssids = source.rows('ac_ssid');
  const ssid = ssids[random.int(0, ssids.length - 1)];
  return { ap: ap?.mac ?? '', ssid: String(ssid?.name ?? 'crew') };
};

const wired = { ap: '', ssid: '' };

const talkOf = (source: HostSource, mac: string, max: number) => {
  const random = source.moment(`talk ${mac}`);
  if (!source.active || random.chance(0.35)) return { up: random.int(0, 3), down: random.int(0, 8), sessions: random.int(0, 6) };
  const down = Math.round(random.between(20, max));
  return { up: Math.round(down * random.between(0.05, 0.3)), down, sessions: random.int(4, 60) };
};

/** Ship equipment, at the upper end of the LAN addresses. */
const fitted = (source: HostSource): Host[] => {
  const random = source.lasting('fittings');
  const { name: lan, subnet } = lanOf(source);
  const uptime = source.gateway.view().uptime;
  return fittings.slice(0, random.int(4, fittings.length)).map(([hostname, vendor, type, access], i) => {
    const mac = macOf(`${source.gateway.sn} ${hostname}`);
    const day = Math.floor(source.now / 86_400);
    const used = source.gateway.fork(`${hostname} ${day}`).int(2_000_000, 90_000_000);
    const share = (source.now % 86_400) / 86_400;
    return {
      hostname,
      vendor,
      type,
      access,
      mac,
      lan,
      account: '',
      ip: dotted((subnet?.first ?? 0) + 200 + i),
      since: source.now - Math.min(uptime, 86_400 * 3),
      ...(access === 'wireless' ? wirelessAt(source, source.lasting(`place ${mac}`)) : wired),
      ...talkOf(source, mac, 90),
      upBytes: Math.round(used * share * 0.6),
      downBytes: Math.round(used * share),
    };
  });
};

const subscribers = (source: HostSource): Host[] =>
  source.gateway.users.sessions.map(({ acc, mac, ip, at, u, d }) => {
    const random = source.lasting(`phone ${mac}`);
    const [vendor, model, type] = random.pick(phones);
    return {
      hostname: `${model}-${mac.slice(-2).toUpperCase()}`,
      ...({ ip, mac, vendor, type, access: 'wireless', lan: lanOf(source).name, account: acc, since: at } as const),
      ...wirelessAt(source, source.lasting(`place ${mac}`)),
      ...talkOf(source, mac, 600),
      upBytes: u,
      downBytes: d,
    };
  });

export const hostsOf = (source: HostSource): Host[] => [...fitted(source), ...subscribers(source)];
