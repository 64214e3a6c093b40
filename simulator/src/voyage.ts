import type { Random } from './random.ts';

export interface Place {
  readonly lat: number;
  readonly lon: number;
}

export interface Position extends Place {
  /** Knots and degrees. */
  readonly sog: number;
  readonly cog: number;
  /** Kilometres to the nearest port of the route. */
  readonly toPort: number;
}

const ports: readonly [Place, ...Place[]] = [
  { lat: 31.2, lon: 122.0 },
  { lat: 22.3, lon: 114.2 },
  { lat: 1.2, lon: 103.8 },
  { lat: 35.4, lon: 139.8 },
  { lat: -33.9, lon: 151.3 },
  { lat: 25.0, lon: 55.0 },
  { lat: -33.9, lon: 18.4 },
  { lat: 51.9, lon: 3.9 },
  { lat: 40.6, lon: -73.9 },
  { lat: -23.9, lon: -46.2 },
  { lat: 33.7, lon: -118.3 },
  { lat: 64.1, lon: -21.9 },
];

const [earthKm, knotKmS] = [6371, 1.852 / 3600];
const rad = (deg: number) => (deg * Math.PI) / 180;
const deg = (r: number) => (r * 180) / Math.PI;

/** The angle between two places, seen from the middle of the earth. */
const angle = (a: Place, b: Place) => {
  const h = Math.sin(rad(b.lat - a.lat) / 2) ** 2 + Math.cos(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.sin(rad(b.lon - a.lon) / 2) ** 2;
  return 2 * Math.asin(Math.min(1, Math.sqrt(h)));
};

const along = (a: Place, b: Place, share: number): Place => {
  const d = angle(a, b);
  if (d === 0) return a;
  const [p, q] = [Math.sin((1 - share) * d) / Math.sin(d), Math.sin(share * d) / Math.sin(d)];
  const x = p * Math.cos(rad(a.lat)) * Math.cos(rad(a.lon)) + q * Math.cos(rad(b.lat)) * Math.cos(rad(b.lon));
  const y = p * Math.cos(rad(a.lat)) * Math.sin(rad(a.lon)) + q * Math.cos(rad(b.lat)) * Math.sin(rad(b.lon));
  const z = p * Math.sin(rad(a.lat)) + q * Math.sin(rad(b.lat));
  return { lat: deg(Math.atan2(z, Math.hypot(x, y))), lon: deg(Math.atan2(y, x)) };
};

const course = (a: Place, b: Place) => {
  const y = Math.sin(rad(b.lon - a.lon)) * Math.cos(rad(b.lat));
  const x = Math.cos(rad(a.lat)) * Math.sin(rad(b.lat)) - Math.sin(rad(a.lat)) * Math.cos(rad(b.lat)) * Math.cos(rad(b.lon - a.lon));
  return (deg(Math.atan2(y, x)) + 360) % 360;
};

/** A round trip on great circles with stays in port; one in five never leaves. Where it is depends on the time alone. */
export const voyageOf = (random: Random) => {
  const home = random.pick(ports);
  const fixed = random.chance(0.2);
  const others = ports.filter((p) => p !== home);
  const away = others[random.int(0, others.length - 1)] ?? home;
  const [speed, stay] = [random.between(10, 19), random.between(12, 48) * 3600];
  const length = angle(home, away);
  const sailing = (length * earthKm) / (speed * knotKmS);
  const round = 2 * (sailing + stay);
  const start = random.between(0, round);
  return (t: number): Position => {
    if (fixed) return { ...home, sog: 0, cog: 0, toPort: 25 };
    const at = (t + start) % round;
    const back = at > sailing + stay;
    const [from, to] = back ? [away, home] : [home, away];
    const leg = back ? at - sailing - stay : at;
    if (leg >= sailing) return { ...to, sog: 0, cog: 0, toPort: 1 };
    const here = along(from, to, leg / sailing);
    const sway = Math.sin(t / 97) * 0.4;
    const toPort = Math.min(angle(here, from), angle(here, to)) * earthKm;
    return { ...here, sog: speed + sway, cog: (course(here, to) + sway * 3 + 360) % 360, toPort };
  };
};
