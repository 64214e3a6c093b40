import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { Row, StatusReader } from '../row.ts';

type Kind = 'ipsec' | 'l2tp' | 'openvpn' | 'wireguard' | 'gre';

const firstOf = (value: unknown): JsonObject => {
  const [one]: unknown[] = Array.isArray(value) ? value : [];
  return typeof one === 'object' && one !== null ? { ...one } : {};
};

/** Remote endpoint; each tunnel type has another field for it. */
const remoteOf = (row: JsonObject): string =>
  String(
    row.remote ?? row.server ?? firstOf(row.servers).host ?? firstOf(row.peers).endpoint_host ?? firstOf(row.remotes).host ?? '0.0.0.0',
  );

const addressOf = (row: JsonObject, snapshot: GatewaySnapshot): string => {
  const localAddress = String(row.tunnel_ip ?? firstOf(row.addresses).address ?? row.local_ip ?? '').split('/')[0] ?? '';
  return localAddress === '' ? `10.8.${snapshot.lasting(`tunnel ${String(row.name)}`).int(0, 250)}.2` : localAddress;
};

const tunnel = (snapshot: GatewaySnapshot, type: Kind, row: JsonObject): Row => {
  const name = String(row.name);
  const wan = snapshot.wans.find((one) => one.name === row.link) ?? snapshot.active;
  const isUp = wan?.now?.s === 1;
  const random = snapshot.lasting(`vpn ${name}`);
  const up = snapshot.now - random.int(600, 40_000);
  const bytes = Math.round((snapshot.now - up) * random.between(200, 4000));
  return {
    name,
    type,
    link: wan?.name ?? '',
    state: isUp ? 'up' : wan ? 'connecting' : 'down',
    remote: remoteOf(row),
    virtual_ip: addressOf(row, snapshot),
    username: String(row.username ?? row.local_id ?? ''),
    up_since: isUp ? up : snapshot.now,
    rx_bytes: isUp ? bytes : 0,
    tx_bytes: isUp ? Math.round(bytes / 3) : 0,
    last_error: isUp ? '' : 'no response from the peer',
  };
};

export const vpn: StatusReader = (snapshot) => {
  const kinds = ['ipsec', 'l2tp', 'openvpn', 'wireguard', 'gre'] as const;
  const tunnels = kinds.flatMap((type) => snapshot.rows(`vpn_${type}`).map((row) => tunnel(snapshot, type, row)));
  const server =
    snapshot.rows('vpn_openvpn').find((row) => row.role === 'server') ?? snapshot.rows('vpn_l2tp').find((row) => row.role === 'server');
  const dialled = server
    ? snapshot
        .rows('vpn_user')
        .slice(0, 5)
        .map(
          (row, i): Row => ({
            ...tunnel(snapshot, row.service === 'l2tp' ? 'l2tp' : 'openvpn', {
              name: String(row.username),
              username: String(row.username),
            }),
            virtual_ip: String(row.fixed_ip ?? `10.8.0.${10 + i}`),
            remote: `203.0.113.${20 + i}`,
          }),
        )
    : [];
  return [...tunnels, ...dialled];
};
