import type { Random } from '@farlink/contract/kit/random.ts';
import { type SeaRoute, type SeaRouteName, seaRouteNames, seaRoutes } from './sea-routes.ts';

export interface LatLon {
  readonly lat: number;
  readonly lon: number;
}

export interface Position extends LatLon {
  /** Knots and degrees. */
  readonly sog: number;
  readonly cog: number;
  /** Kilometres to the nearer port of the route. */
  readonly toPort: number;
}

const earthKm = 6371;
const knotKmS = 1.852 / 3600;
const rad = (deg: number) => (deg * Math.PI) / 180;
const deg = (r: number) => (r * 180) / Math.PI;

/** Central angle between two positions. */
const angle = (a: LatLon, b: LatLon) => {
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lon - a.lon) / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
};
export const distanceKm = (a: LatLon, b: LatLon): number => angle(a, b) * earthKm;

const along = (a: LatLon, b: LatLon, share: number): LatLon => {
  const d = angle(a, b);
  if (d === 0) return a;
  const p = Math.sin((1 - share) * d) / Math.sin(d);
  const q = Math.sin(share * d) / Math.sin(d);
  const x = p * Math.cos(rad(a.lat)) * Math.cos(rad(a.lon)) + q * Math.cos(rad(b.lat)) * Math.cos(rad(b.lon));
  const y = p * Math.cos(rad(a.lat)) * Math.sin(rad(a.lon)) + q * Math.cos(rad(b.lat)) * Math.sin(rad(b.lon));
  const z = p * Math.sin(rad(a.lat)) + q * Math.sin(rad(b.lat));
  return { lat: deg(Math.atan2(z, Math.hypot(x, y))), lon: deg(Math.atan2(y, x)) };
};

const course = (a: LatLon, b: LatLon) => {
  const y = Math.sin(rad(b.lon - a.lon)) * Math.cos(rad(b.lat));
  const x = Math.cos(rad(a.lat)) * Math.sin(rad(b.lat)) - Math.sin(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.cos(rad(b.lon - a.lon));
  return (deg(Math.atan2(y, x)) + 360) % 360;
};

const nowhere: LatLon = { lat: 0, lon: 0 };
const pointsOf = (seaRoute: SeaRoute): LatLon[] => seaRoute.map(([lat, lon]) => ({ lat, lon }));

/** Length of each leg. */
const lengthsOf = (way: readonly LatLon[]) => way.slice(1).map((to, i) => distanceKm(way[i] ?? to, to));

/** Position after `km` on a route, and the next waypoint. */
const pointOn = (way: readonly LatLon[], legs: readonly number[], km: number): { here: LatLon; next: LatLon } => {
  let rest = km;
  for (const [i, leg] of legs.entries()) {
    const from = way[i] ?? nowhere;
    const to = way[i + 1] ?? nowhere;
    if (rest <= leg) return { here: along(from, to, leg === 0 ? 0 : rest / leg), next: to };
    rest -= leg;
  }
  const end = way.at(-1) ?? nowhere;
  return { here: end, next: end };
};

export interface RouteOptions {
  /** Position of a fixed site on land. */
  readonly at?: LatLon;
  readonly lane?: SeaRouteName;
}

/** A return trip on a sea route with stays in port, or a fixed site. The position depends only on time, unless `goTo` overrides it. */
export class Route {
  readonly #way: readonly LatLon[];
  readonly #speed: number;
  readonly #portS: number;
  readonly #start: number;
  /** Kilometres to a port, for a fixed site. */
  readonly #ashore: number | undefined;
  #sentTo: LatLon | undefined;

  constructor(random: Random, { at, lane: seaRoute }: RouteOptions = {}) {
    this.#ashore = at ? 100 : seaRoute === undefined && random.chance(0.15) ? 25 : undefined;
    this.#way = at ? [at] : pointsOf(seaRoutes[seaRoute ?? random.pick(seaRouteNames)]);
    this.#speed = random.between(10, 19);
    this.#portS = random.between(12, 48) * 3600;
    this.#start = random.next();
  }

  /** Overrides the position; undefined: back to the route. */
  goTo(position: LatLon | undefined) {
    this.#sentTo = position;
  }

  at(t: number): Position {
    const [home = nowhere] = this.#way;
    const moored = { sog: 0, cog: 0 };
    if (this.#sentTo) return { ...this.#sentTo, ...moored, toPort: distanceKm(this.#sentTo, home) };
    if (this.#ashore !== undefined) return { ...home, ...moored, toPort: this.#ashore };
    const legs = lengthsOf(this.#way);
    const km = legs.reduce((sum, leg) => sum + leg, 0);
    const sailing = km / (this.#speed * knotKmS);
    const round = 2 * (sailing + this.#portS);
    const now = (t + this.#start * round) % round;
    const back = now > sailing + this.#portS;
    const [way, lengths] = back ? [this.#way.toReversed(), legs.toReversed()] : [this.#way, legs];
    const sailed = back ? now - sailing - this.#portS : now;
    const port = way.at(-1) ?? nowhere;
    if (sailed >= sailing) return { ...port, ...moored, toPort: 1 };
    const { here, next } = pointOn(way, lengths, (sailed / sailing) * km);
    const sway = Math.sin(t / 97) * 0.4;
    const toPort = Math.min(distanceKm(here, way[0] ?? port), distanceKm(here, port));
    return { ...here, sog: this.#speed + sway, cog: (course(here, next) + sway * 3 + 360) % 360, toPort };
  }
}
