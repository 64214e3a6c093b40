import { macOf } from '../../session.ts';
import { apps } from '../apps.ts';
import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import { dotted, lanOf } from '../hosts.ts';
import type { Row, StatusReader } from '../row.ts';

export const terminals: StatusReader = (snapshot) =>
  snapshot.hosts.map((host) => ({
    hostname: host.hostname,
    ip: host.ip,
    mac: host.mac,
    vendor: host.vendor,
    terminal_type: host.type,
    access: host.access,
    interface: host.lan,
    ssid: host.ssid,
    account: host.account,
    up_rate: host.up,
    down_rate: host.down,
    sessions: host.sessions,
    online_time: Math.max(0, snapshot.now - host.since),
    last_seen: snapshot.now - snapshot.moment(`seen ${host.mac}`).int(0, 20),
  }));

const surnames = ['王', '李', '张', '刘', '陈', '杨', '赵', '黄', '周', '吴'] as const;
const givenNames = ['海涛', '建国', '志强', '晓东', '伟', '明辉', '国栋', '立军', '丽华', '敏'] as const;

/** The name of an account never changes. */
export const nameOf = (snapshot: GatewaySnapshot, account: string): string => {
  const random = snapshot.lasting(`name ${account}`);
  return `${random.pick(surnames)}${random.pick(givenNames)}`;
};

const kinds = ['personal', 'personal', 'maritime_crew', 'job', 'temp_card', 'station'] as const;
const packages = ['船员月包10GB', '船员周包2GB', '畅享套餐', '业务套餐'] as const;

export const onlineUsers: StatusReader = (snapshot) =>
  snapshot.gateway.users.sessions.map(({ acc, mac, ip, at, u, d }): Row => {
    const random = snapshot.lasting(`subscriber ${acc}`);
    return {
      account: acc,
      full_name: nameOf(snapshot, acc),
      account_type: random.pick(kinds),
      ip,
      mac,
      method: random.pick(['portal', 'portal', 'portal', 'mac']),
      package: random.pick(packages),
      policy_source: random.pick(['package', 'package', 'account', 'custom']),
      login_at: at,
      online_time: Math.max(0, snapshot.now - at),
      up_bytes: u,
      down_bytes: d,
      link: snapshot.active?.name ?? '',
    };
  });

export const stations: StatusReader = (snapshot) =>
  snapshot.hosts
    .filter((host) => host.access === 'wireless')
    .map((host): Row => {
      const random = snapshot.lasting(`air ${host.mac}`);
      const band = random.pick(['5g', '5g', '2g']);
      return {
        mac: host.mac,
        ip: host.ip,
        hostname: host.hostname,
        account: host.account,
        ap: host.ap,
        ssid: host.ssid,
        band,
        channel: band === '5g' ? random.pick([36, 44, 149, 157]) : random.pick([1, 6, 11]),
        rssi: random.int(-74, -44) + snapshot.moment(`air ${host.mac}`).int(-3, 3),
        tx_rate: band === '5g' ? random.int(260_000, 1_201_000) : random.int(65_000, 287_000),
        rx_rate: band === '5g' ? random.int(130_000, 866_000) : random.int(40_000, 180_000),
        up_bytes: host.upBytes,
        down_bytes: host.downBytes,
        online_time: Math.max(0, snapshot.now - host.since),
      };
    });

const leaseSeconds = (snapshot: GatewaySnapshot) => Number(snapshot.rows('network_dhcp_server')[0]?.lease_time ?? 120) * 60;

export const leases: StatusReader = (snapshot) => {
  const secs = leaseSeconds(snapshot);
  const fixed = snapshot.rows('network_dhcp_static');
  const current = snapshot.hosts.map((host): Row => {
    const isFixed = fixed.some((row) => row.mac === host.mac);
    const start = snapshot.now - snapshot.lasting(`lease ${host.mac}`).int(60, Math.max(61, Math.floor(secs / 2)));
    return {
      ip: host.ip,
      mac: host.mac,
      hostname: host.hostname,
      interface: host.lan,
      lease_type: isFixed ? 'static' : 'dynamic',
      state: 'active',
      start_at: start,
      expire_at: start + secs,
    };
  });
  const { name, subnet } = lanOf(snapshot);
  const gone = {
    ip: dotted((subnet?.first ?? 0) + 190),
    mac: macOf(`${snapshot.gateway.sn} visitor`),
    hostname: 'visitor-phone',
    interface: name,
  };
  return [
    ...current,
    { ...gone, lease_type: 'dynamic', state: 'expired', start_at: snapshot.now - 3 * secs, expire_at: snapshot.now - 2 * secs },
  ];
};

/** The flow class that matches this application; otherwise the first one. */
const flowOf = (snapshot: GatewaySnapshot, port: number): string => {
  const classes = snapshot.rows('arbiter_flow_class');
  const found = classes.find((row) => row.dst_port === String(port)) ?? classes[0];
  return found ? String(found.name) : '';
};

export const sessions: StatusReader = (snapshot) =>
  snapshot.hosts.flatMap((host) => {
    const random = snapshot.gateway.fork(`sessions ${host.mac} ${Math.floor(snapshot.now / 30)}`);
    return Array.from({ length: Math.min(host.sessions, random.int(1, 5)) }, (): Row => {
      const app = random.pick(apps);
      const up = random.int(600, 40_000);
      return {
        protocol: app.protocol,
        src_ip: host.ip,
        src_port: random.int(32_768, 60_999),
        dst_ip: app.ip,
        dst_port: app.port,
        nat_ip: snapshot.active?.now?.ip ?? '0.0.0.0',
        app: app.name,
        flow_class: flowOf(snapshot, app.port),
        link: snapshot.active?.name ?? '',
        state: app.protocol === 'udp' ? random.pick(['ASSURED', 'UNREPLIED']) : random.pick(['ESTABLISHED', 'ESTABLISHED', 'TIME_WAIT']),
        up_bytes: up,
        down_bytes: up * random.int(2, 30),
        timeout: app.protocol === 'udp' ? random.int(1, 180) : random.int(1, 7200),
      };
    });
  });

export const appTraffic: StatusReader = (snapshot) => {
  const { active } = snapshot;
  if (!active) return [];
  const random = snapshot.moment('apps');
  const users = Math.max(1, snapshot.hosts.length);
  const weights = apps.map((app) => app.weight * snapshot.lasting(`taste ${app.name}`).between(0.5, 1.5));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const loaded = snapshot.hosts.reduce((sum, host) => ({ up: sum.up + host.up, down: sum.down + host.down }), { up: 0, down: 0 });
  const dayShare = (snapshot.now % 86_400) / 86_400;
  return apps
    .map((app, i): Row => {
      const share = (weights[i] ?? 0) / total;
      const today = Math.round(users * 140 * share * dayShare);
      return {
        app: app.name,
        category: app.category,
        link: active.name,
        up_rate: Math.round(loaded.up * share * random.between(0.7, 1.3)),
        down_rate: Math.round(loaded.down * share * random.between(0.7, 1.3)),
        today_up: Math.round(today * 0.15),
        today_down: today,
        share: Math.round(share * 100),
        users: Math.max(1, Math.round(users * Math.min(1, share * 3))),
        sessions: Math.max(1, Math.round(users * share * 20)),
      };
    })
    .toSorted((a, b) => Number(b.share) - Number(a.share));
};
