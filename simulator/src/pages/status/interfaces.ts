import { subnetOf } from '@farlink/gateway/kit/address.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { macOf } from '../../session.ts';
import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import { lanOf } from '../hosts.ts';
import type { Row, StatusReader } from '../row.ts';
import { trafficOf } from './links.ts';

const inner = (snapshot: GatewaySnapshot) => {
  const rows = snapshot.rows('network_lan');
  const { name, ipaddr } = lanOf(snapshot);
  return rows.length > 0 ? rows : [{ name, ipaddr, ports: [{ port: 'eth1' }, { port: 'eth2' }] }];
};

const portsOf = ({ ports, tagged_ports: tagged }: JsonObject): string[] => {
  const listed = Array.isArray(ports) ? ports : Array.isArray(tagged) ? tagged : [];
  return listed.flatMap((one) => (typeof one === 'object' && one !== null && 'port' in one ? [String(one.port)] : []));
};

const allPorts = ['eth0', 'eth1', 'eth2', 'eth3', 'eth4', 'eth5', 'sfp0'];

/** Counters grow with the uptime, so repeated reads agree. */
const countersOf = (snapshot: GatewaySnapshot, name: string, kbps: number) => {
  const random = snapshot.lasting(`counters ${name}`);
  const { uptime } = snapshot.gateway.view();
  const bytes = Math.round(uptime * random.between(8000, 60_000)) + kbps * 125;
  return {
    rx_bytes: bytes,
    tx_bytes: Math.round(bytes * random.between(0.2, 0.6)),
    errors: random.chance(0.7) ? 0 : random.int(1, 40),
    drops: random.int(0, Math.max(1, Math.floor(uptime / 4000))),
  };
};

export const interfaces: StatusReader = (snapshot) => {
  const made = (name: string, port: string, role: string, isUp: boolean, ipaddr: string, rx: number, tx: number): Row => ({
    interface: name,
    port,
    role,
    ipaddr,
    carrier: isUp ? 'up' : 'down',
    mac: macOf(`${snapshot.gateway.sn} ${name || port}`),
    speed: !isUp ? 0 : port === 'wwan0' ? 300 : 1000,
    duplex: isUp ? 'full' : 'half',
    rx_rate: rx,
    tx_rate: tx,
    ...countersOf(snapshot, name || port, rx),
  });
  const total = snapshot.hosts.reduce((sum, host) => ({ up: sum.up + host.up, down: sum.down + host.down }), { up: 0, down: 0 });
  const wans = snapshot.wans.map((wan) => {
    const { up, down } = trafficOf(snapshot, wan);
    const ip = wan.now?.ip;
    return made(wan.name, wan.port, 'wan', wan.now?.s === 1, ip === undefined ? '0.0.0.0/0' : `${ip}/24`, down, up);
  });
  const { lan } = snapshot.gateway.view();
  const lans = inner(snapshot).map((row, i) =>
    made(
      String(row.name),
      portsOf(row).join(' '),
      'lan',
      lan[i] !== 0,
      String(row.ipaddr),
      i === 0 ? total.up : 0,
      i === 0 ? total.down : 0,
    ),
  );
  const vlans = snapshot
    .rows('network_vlan')
    .map((row) => made(String(row.name), portsOf(row).join(' ') || String(row.parent), 'vlan', true, String(row.ipaddr), 0, 0));
  const tunnels = snapshot
    .rows('vpn_gre')
    .map((row) => made(String(row.name), String(row.link), 'tunnel', snapshot.active !== undefined, String(row.tunnel_ip), 2, 2));
  const used = new Set([...wans, ...lans].flatMap(({ port }) => String(port).split(' ')));
  const free = allPorts.filter((port) => !used.has(port)).map((port) => made('', port, 'unused', false, '0.0.0.0/0', 0, 0));
  return [...wans, ...lans, ...vlans, ...tunnels, ...free];
};

const dot = (ip: string) => ip.replace(/\.\d+$/, '.0');

/** The subnet of an address such as `192.168.10.1/24`. */
const subnetText = (ipaddr: string): string => {
  const [ip = '', bits = '24'] = ipaddr.split('/');
  return subnetOf(ipaddr) && bits === '24' ? `${dot(ip)}/${bits}` : ipaddr;
};

export const routes: StatusReader = (snapshot) => {
  const { active } = snapshot;
  const gateway = (ip: string | undefined) => (ip === undefined ? '0.0.0.0' : ip.replace(/\.\d+$/, '.1'));
  const route = (table: string, destination: string, via: string, name: string, metric: number, origin: string): Row => ({
    table,
    destination,
    gateway: via,
    interface: name,
    metric,
    origin,
  });
  const up = snapshot.wans.filter((wan) => wan.now?.s === 1);
  return [
    ...(active ? [route('main', '0.0.0.0/0', gateway(active.now?.ip), active.name, active.metric, 'link_change')] : []),
    ...up.map((wan) => route('main', subnetText(`${wan.now?.ip ?? '0.0.0.0'}/24`), '0.0.0.0', wan.name, wan.metric, 'connected')),
    ...[...inner(snapshot), ...snapshot.rows('network_vlan')].map((row) =>
      route('main', subnetText(String(row.ipaddr)), '0.0.0.0', String(row.name), 1, 'connected'),
    ),
    ...snapshot
      .rows('network_static_route')
      .map((row) =>
        route(
          'main',
          String(row.destination),
          String(row.gateway ?? '0.0.0.0'),
          String(row.interface ?? ''),
          Number(row.metric ?? 10),
          'static',
        ),
      ),
    ...up.map((wan) =>
      route(`link_${wan.name}`, '0.0.0.0/0', gateway(wan.now?.ip), wan.name, wan.metric, wan.row.proto === 'pppoe' ? 'ppp' : 'dhcp'),
    ),
    ...snapshot
      .rows('arbiter_policy')
      .map((row) =>
        route(`flow_${String(row.flow_class)}`.slice(0, 25), '0.0.0.0/0', gateway(active?.now?.ip), active?.name ?? '', 5, 'arbiter'),
      ),
    ...snapshot.rows('vpn_ipsec').map((row) => route('vpn', '10.200.0.0/16', '0.0.0.0', String(row.link ?? active?.name ?? ''), 3, 'vpn')),
  ];
};
