import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { distanceKm } from '../../route.ts';
import type { GatewaySnapshot } from '../gateway-snapshot.ts';
import type { Row, StatusReader } from '../row.ts';
import type { Wan } from '../wans.ts';
import { trafficOf } from './links.ts';

/** Corners of an area; documents store longitude first. */
const cornersOf = (row: JsonObject): { lat: number; lon: number }[] =>
  (Array.isArray(row.polygon) ? row.polygon : []).flatMap((point) => {
    if (!Array.isArray(point)) return [];
    const [lon, lat] = point.map(Number);
    return lat === undefined || lon === undefined ? [] : [{ lat, lon }];
  });

const isInside = (ring: readonly { lat: number; lon: number }[], lat: number, lon: number): boolean => {
  let inside = false;
  for (const [i, a] of ring.entries()) {
    const b = ring[(i + 1) % ring.length] ?? a;
    if (a.lat > lat !== b.lat > lat && lon < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon) inside = !inside;
  }
  return inside;
};

const nm = 1.852;

/** Distance to the nearest corner or edge centre, precise enough for a list. */
const toEdge = (ring: readonly { lat: number; lon: number }[], here: { lat: number; lon: number }): number => {
  const points = ring.flatMap((a, i) => {
    const b = ring[(i + 1) % ring.length] ?? a;
    return [a, { lat: (a.lat + b.lat) / 2, lon: (a.lon + b.lon) / 2 }];
  });
  return Math.min(...points.map((point) => distanceKm(point, here))) / nm;
};

export const fences: StatusReader = (snapshot) => {
  const { position } = snapshot.gateway.view();
  const events = snapshot.gateway.memory.of('fence');
  return snapshot.rows('fence_area').map((row): Row => {
    const name = String(row.name);
    const ring = cornersOf(row);
    const inside = snapshot.gateway.world.fences.includes(name) || isInside(ring, position.lat, position.lon);
    return {
      fence: name,
      category: row.category ?? 'custom',
      state: ring.length < 3 ? 'unknown' : inside ? 'inside' : 'outside',
      distance_nm: ring.length < 3 ? '-' : toEdge(ring, position).toFixed(1),
      policy: inside ? (row.on_enter ?? '') : '',
      since: events.find(({ doc }) => doc.fence === name)?.t ?? snapshot.gateway.memory.since,
      ...snapshot.position,
      position_at: snapshot.now - 1,
    };
  });
};

/** Score of an uplink: quality, minus latency, minus the cost of L-band. */
export const scoreOf = ({ now, type }: Wan): number =>
  now?.s !== 1 ? 0 : Math.max(1, Math.round((now.q ?? 50) - (now.r ?? 600) / 40 - (type === 'lband' ? 40 : 0)));

const candidatesOf = (snapshot: GatewaySnapshot, policy: JsonObject | undefined): Wan[] => {
  const listed = Array.isArray(policy?.links) ? policy.links : [];
  const names = listed.flatMap((one) => (typeof one === 'object' && one !== null && 'link' in one ? [String(one.link)] : []));
  const all = names.length > 0 ? snapshot.wans.filter((wan) => names.includes(wan.name)) : snapshot.wans;
  return all.toSorted((a, b) => scoreOf(b) - scoreOf(a));
};

export const scoresOf = (wans: readonly Wan[]): string => wans.map((wan) => `${wan.name}=${scoreOf(wan)}`).join(' ');

export const arbiter: StatusReader = (snapshot) => {
  const policies = snapshot.rows('arbiter_policy');
  const lastLink = snapshot.gateway.memory.of('link')[0];
  return snapshot.rows('arbiter_flow_class').map((flow): Row => {
    const policy = policies.find((row) => row.flow_class === flow.name);
    const wans = candidatesOf(snapshot, policy);
    const [best, second] = wans;
    const random = snapshot.moment(`flow ${String(flow.name)}`);
    const traffic = best ? trafficOf(snapshot, best) : { up: 0, down: 0 };
    return {
      flow_class: String(flow.name),
      algorithm: policy?.algorithm ?? 'priority',
      link: best?.name ?? '',
      runner_up: second?.name ?? '',
      scores: scoresOf(wans),
      latency: best?.now?.r ?? 0,
      loss: best?.now?.s === 1 ? random.int(0, 2) : 100,
      up_rate: Math.round(traffic.up * random.between(0.1, 0.5)),
      down_rate: Math.round(traffic.down * random.between(0.1, 0.5)),
      reason: lastLink ? 'recovery' : 'better',
      since: lastLink?.t ?? snapshot.gateway.memory.since,
    };
  });
};

export const qos: StatusReader = (snapshot) =>
  snapshot.wans
    .filter((wan) => wan.now?.s === 1)
    .flatMap((wan) =>
      snapshot
        .rows('qos_class')
        .filter((row) => row.link === undefined || row.link === wan.name)
        .map((row, i): Row => {
          const random = snapshot.moment(`class ${wan.name} ${String(row.name)}`);
          const { up, down } = trafficOf(snapshot, wan);
          const share = random.between(0.1, 0.7) / (i + 1);
          const guarantee = (wan.down * Number(row.down_guarantee ?? 0)) / 100;
          const guaranteeUp = (wan.up * Number(row.up_guarantee ?? 0)) / 100;
          return {
            link: wan.name,
            class: String(row.name),
            down_rate: Math.round(down * share),
            up_rate: Math.round(up * share),
            down_guarantee: Math.round(guarantee),
            up_guarantee: Math.round(guaranteeUp),
            borrowing: row.borrow === true && down * share > guarantee,
            queue_ms: random.int(0, 60),
            dropped: random.int(0, 120),
            sessions: random.int(0, 40),
          };
        }),
    );
