import { unwrapped } from '../maps/unwrap-track.ts';

/** The corners of a polygon, longitude first, within ±180 and ±90 degrees; the last is joined to the first. */
export type Ring = readonly (readonly [lon: number, lat: number])[];

/** For drawing: a ring across the date line continues past 180 degrees instead of around the world. */
export const ringOut = (ring: Ring): [number, number][] =>
  unwrapped(ring.map(([lon, lat]) => ({ lon, lat }))).map(({ lon, lat }) => [lon, lat]);

const digits = 100_000;
const rounded = (degrees: number) => Math.round(degrees * digits) / digits;

/** Normalizes a longitude to ±180 degrees. */
export const wrapped = (lon: number): number => {
  const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
  return turned === -180 && lon > 0 ? 180 : turned;
};

/** From a drawing, rounded to about one metre. */
export const ringIn = (points: readonly (readonly [number, number])[]): Ring => {
  const corners = points.map(([lon, lat]) => [rounded(wrapped(lon)), rounded(Math.max(-90, Math.min(90, lat)))] as const);
  const first = corners[0];
  const last = corners.at(-1);
  const isClosed = first && last && corners.length > 1 && first[0] === last[0] && first[1] === last[1];
  return isClosed ? corners.slice(0, -1) : corners;
};

/** Parses lines such as `113.5, 22.1`, copied from charts or spreadsheets; undefined if a line is invalid. */
export const ringText = (text: string): Ring | undefined => {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const points = lines.map((line) => line.split(/[\s,;，；]+/).map(Number));
  const isValid = points.every(
    ([lon = Number.NaN, lat = Number.NaN, ...more]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && more.length === 0,
  );
  return isValid ? ringIn(points.map(([lon = 0, lat = 0]) => [lon, lat])) : undefined;
};
