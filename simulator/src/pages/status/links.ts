import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { Row, StatusReader } from '../row.ts';
import type { Wan } from '../wans.ts';

const states = ['off', 'on', 'abnormal'] as const;

/** Traffic of an uplink: the load of all hosts on the active one, keep-alive traffic on the others. */
export const trafficOf = (snapshot: GatewaySnapshot, wan: Wan): { readonly up: number; readonly down: number } => {
  if (wan.now?.s !== 1) return { up: 0, down: 0 };
  if (!wan.isActive) return { up: 1, down: 1 };
  const rate = snapshot.hosts.reduce((sum, host) => ({ up: sum.up + host.up, down: sum.down + host.down }), { up: 4, down: 6 });
  return { up: Math.min(rate.up, wan.up), down: Math.min(rate.down, wan.down) };
};

const roleOf = (snapshot: GatewaySnapshot, wan: Wan): string => {
  if (wan.isActive) return 'active';
  const { lock } = snapshot.gateway.world.radio;
  const locked = lock === 'global' ? '6d' : lock === 'second_satellite' ? 'low_orbit' : undefined;
  if (locked !== undefined && wan.link !== locked && wan.type !== 'lband') return 'locked_out';
  return wan.now?.s === 1 ? 'standby' : 'cold';
};

/** Satellite modems report a ratio, cellular modules a level. */
const signalOf = (snapshot: GatewaySnapshot, { type, now, name }: Wan): string => {
  if (now?.s !== 1) return '-';
  const quality = (now.q ?? 90) / 100;
  const wobble = snapshot.moment(`signal ${name}`).between(-0.4, 0.4);
  return type === 'lte' ? `${Math.round(-112 + quality * 30 + wobble * 4)}` : (4 + quality * 9 + wobble).toFixed(1);
};

/** Traffic of this month: the simulated bytes plus an estimate for the days before the start. */
const usageOf = (snapshot: GatewaySnapshot, { link, name }: Wan): number => {
  if (link === undefined) return 0;
  const { u, d } = snapshot.gateway.world.bytesOf(link);
  const day = new Date(snapshot.now * 1000).getUTCDate();
  return Math.round((u + d) / 1_000_000) + day * snapshot.lasting(`usage ${name}`).int(20, 240);
};

const quotaOf = (snapshot: GatewaySnapshot, wan: Wan, used: number): number => {
  const row = snapshot.rows('link_change_quota').find(({ link }) => link === wan.name);
  const quota = Number(row?.quota_mb ?? 0);
  return quota > 0 ? Math.min(100, Math.round((used / quota) * 100)) : 0;
};

const lastChange = (snapshot: GatewaySnapshot, wan: Wan): number => {
  const { memory } = snapshot.gateway;
  const event = memory.of('link').find(({ doc }) => doc.to === wan.link);
  return Math.max(0, Math.min(snapshot.gateway.view().uptime, snapshot.now - (event?.t ?? 0)));
};

export const link: StatusReader = (snapshot) =>
  snapshot.wans.map((wan): Row => {
    const isOn = wan.now?.s === 1;
    const used = usageOf(snapshot, wan);
    const { up, down } = trafficOf(snapshot, wan);
    const latency = wan.now?.r ?? 0;
    const random = snapshot.moment(`quality ${wan.name}`);
    return {
      link: wan.name,
      link_type: wan.type,
      state: states[wan.now?.s ?? 0],
      role: roleOf(snapshot, wan),
      ipaddr: wan.now?.ip ?? '0.0.0.0',
      public_ip: isOn ? snapshot.lasting(`egress ${wan.name}`).pick(egress) : '0.0.0.0',
      latency,
      jitter: isOn ? Math.round(latency * random.between(0.02, 0.12)) : 0,
      loss: isOn ? (random.chance(0.8) ? 0 : random.int(1, 4)) : 100,
      signal: signalOf(snapshot, wan),
      rx_rate: down,
      tx_rate: up,
      cycle_usage_mb: used,
      quota_percent: quotaOf(snapshot, wan, used),
      online_time: isOn ? lastChange(snapshot, wan) : 0,
      last_probe: snapshot.now - random.int(1, wan.isActive ? 5 : 30),
    };
  });

/** Public addresses of the carriers. */
const egress = ['119.36.24.18', '103.150.74.9', '61.144.19.212', '202.97.33.150'] as const;
