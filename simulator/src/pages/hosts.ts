import { subnetOf } from '@farlink/gateway/kit/address.ts';
import type { Random } from '../random.ts';
import { macOf } from '../users.ts';
import type { Scene } from './scene.ts';

/** Something on board that talks through the gateway: a subscriber's phone, or what belongs to the ship. */
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
  /** Of the access point that it hangs on; empty by cable. */
  readonly ap: string;
  readonly ssid: string;
  /** Kilobits a second now. */
  readonly up: number;
  readonly down: number;
  readonly sessions: number;
  readonly upBytes: number;
  readonly downBytes: number;
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

/** The first LAN; as it leaves the factory where nobody made one. */
export const lanOf = (scene: Scene) => {
  const [row] = scene.rows('network_lan');
  const ipaddr = String(row?.ipaddr ?? '192.168.10.1/24');
  return { name: String(row?.name ?? 'lan'), ipaddr, subnet: subnetOf(ipaddr) };
};

export const dotted = (n: number): string => [24, 16, 8, 0].map((shift) => Math.floor(n / 2 ** shift) % 256).join('.');

const wirelessAt = (scene: Scene, random: Random) => {
  const up = scene.box.view().aps.filter((ap) => ap.s === 1);
  const ap = up[random.int(0, up.length - 1)];
  const ssids = scene.rows('ac_ssid');
  const ssid = ssids[random.int(0, ssids.length - 1)];
  return { ap: ap?.mac ?? '', ssid: String(ssid?.name ?? 'crew') };
};

const wired = { ap: '', ssid: '' };

const talkOf = (scene: Scene, mac: string, most: number) => {
  const random = scene.moment(`talk ${mac}`);
  if (!scene.active || random.chance(0.35)) return { up: random.int(0, 3), down: random.int(0, 8), sessions: random.int(0, 6) };
  const down = Math.round(random.between(20, most));
  return { up: Math.round(down * random.between(0.05, 0.3)), down, sessions: random.int(4, 60) };
};

/** What belongs to the ship, at the upper end of its LAN. */
const fitted = (scene: Scene): Host[] => {
  const random = scene.lasting('fittings');
  const { name: lan, subnet } = lanOf(scene);
  const uptime = scene.box.view().uptime;
  return fittings.slice(0, random.int(4, fittings.length)).map(([hostname, vendor, type, access], i) => {
    const mac = macOf(`${scene.box.sn} ${hostname}`);
    const day = Math.floor(scene.now / 86_400);
    const used = scene.box.fork(`${hostname} ${day}`).int(2_000_000, 90_000_000);
    const share = (scene.now % 86_400) / 86_400;
    return {
      ...{ hostname, vendor, type, access, mac, lan, account: '' },
      ip: dotted((subnet?.first ?? 0) + 200 + i),
      since: scene.now - Math.min(uptime, 86_400 * 3),
      ...(access === 'wireless' ? wirelessAt(scene, scene.lasting(`place ${mac}`)) : wired),
      ...talkOf(scene, mac, 90),
      upBytes: Math.round(used * share * 0.6),
      downBytes: Math.round(used * share),
    };
  });
};

const subscribers = (scene: Scene): Host[] =>
  scene.box.users.sessions.map(({ acc, mac, ip, at, u, d }) => {
    const random = scene.lasting(`phone ${mac}`);
    const [vendor, model, type] = random.pick(phones);
    return {
      hostname: `${model}-${mac.slice(-2).toUpperCase()}`,
      ...({ ip, mac, vendor, type, access: 'wireless', lan: lanOf(scene).name, account: acc, since: at } as const),
      ...wirelessAt(scene, scene.lasting(`place ${mac}`)),
      ...talkOf(scene, mac, 600),
      upBytes: u,
      downBytes: d,
    };
  });

export const hostsOf = (scene: Scene): Host[] => [...fitted(scene), ...subscribers(scene)];
