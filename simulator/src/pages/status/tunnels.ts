import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Row, StatusReader } from '../row.ts';
import type { Scene } from '../scene.ts';

type Kind = 'ipsec' | 'l2tp' | 'openvpn' | 'wireguard' | 'gre';

const firstOf = (value: unknown): JsonObject => {
  const [one]: unknown[] = Array.isArray(value) ? value : [];
  return typeof one === 'object' && one !== null ? { ...one } : {};
};

/** Where the other end is, by the words of each kind. */
const remoteOf = (row: JsonObject): string =>
  String(
    row.remote ?? row.server ?? firstOf(row.servers).host ?? firstOf(row.peers).endpoint_host ?? firstOf(row.remotes).host ?? '0.0.0.0',
  );

const addressOf = (row: JsonObject, scene: Scene): string => {
  const own = String(row.tunnel_ip ?? firstOf(row.addresses).address ?? row.local_ip ?? '').split('/')[0] ?? '';
  return own === '' ? `10.8.${scene.lasting(`tunnel ${String(row.name)}`).int(0, 250)}.2` : own;
};

const tunnel = (scene: Scene, type: Kind, row: JsonObject): Row => {
  const name = String(row.name);
  const wan = scene.wans.find((one) => one.name === row.link) ?? scene.active;
  const isUp = wan?.now?.s === 1;
  const random = scene.lasting(`vpn ${name}`);
  const up = scene.now - random.int(600, 40_000);
  const bytes = Math.round((scene.now - up) * random.between(200, 4000));
  return {
    ...{ name, type, link: wan?.name ?? '' },
    state: isUp ? 'up' : wan ? 'connecting' : 'down',
    remote: remoteOf(row),
    virtual_ip: addressOf(row, scene),
    username: String(row.username ?? row.local_id ?? ''),
    up_since: isUp ? up : scene.now,
    rx_bytes: isUp ? bytes : 0,
    tx_bytes: isUp ? Math.round(bytes / 3) : 0,
    last_error: isUp ? '' : 'no response from the peer',
  };
};

export const vpn: StatusReader = (scene) => {
  const kinds = ['ipsec', 'l2tp', 'openvpn', 'wireguard', 'gre'] as const;
  const tunnels = kinds.flatMap((type) => scene.rows(`vpn_${type}`).map((row) => tunnel(scene, type, row)));
  const server =
    scene.rows('vpn_openvpn').find((row) => row.role === 'server') ?? scene.rows('vpn_l2tp').find((row) => row.role === 'server');
  const dialled = server
    ? scene
        .rows('vpn_user')
        .slice(0, 5)
        .map(
          (row, i): Row => ({
            ...tunnel(scene, row.service === 'l2tp' ? 'l2tp' : 'openvpn', { name: String(row.username), username: String(row.username) }),
            virtual_ip: String(row.fixed_ip ?? `10.8.0.${10 + i}`),
            remote: `203.0.113.${20 + i}`,
          }),
        )
    : [];
  return [...tunnels, ...dialled];
};
