import { unwrapped } from '../maps/unwrap-track.ts';

/** The corners of an area, longitude first, each in the range that a globe has; the last is joined to the first. */
export type Ring = readonly (readonly [lon: number, lat: number])[];

/** As it is drawn: a ring across the date line goes on past 180 degrees instead of around the world. */
export const ringOut = (ring: Ring): [number, number][] =>
  unwrapped(ring.map(([lon, lat]) => ({ lon, lat }))).map(({ lon, lat }) => [lon, lat]);

const digits = 100_000;
const rounded = (degrees: number) => Math.round(degrees * digits) / digits;

/** A longitude of any world beside ours is one of ours. */
export const wrapped = (lon: number): number => {
  const turned = ((((lon + 180) % 360) + 360) % 360) - 180;
  return turned === -180 && lon > 0 ? 180 : turned;
};

/** From what was drawn: about a metre is as exact as a hand can be. */
export const ringIn = (points: readonly (readonly [number, number])[]): Ring => {
  const corners = points.map(([lon, lat]) => [rounded(wrapped(lon)), rounded(Math.max(-90, Math.min(90, lat)))] as const);
  const [first, last] = [corners[0], corners.at(-1)];
  const isClosed = first && last && corners.length > 1 && first[0] === last[0] && first[1] === last[1];
  return isClosed ? corners.slice(0, -1) : corners;
};

/** `113.5, 22.1` a line, as people copy it from charts and sheets; nothing where a line is something else. */
export const ringText = (text: string): Ring | undefined => {
  const lines = text.split('\n').flatMap((line) => line.trim() || []);
  const points = lines.map((line) => line.split(/[\s,;，；]+/).map(Number));
  const isWell = points.every(
    ([lon = Number.NaN, lat = Number.NaN, ...more]) => Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && more.length === 0,
  );
  return isWell ? ringIn(points.map(([lon = 0, lat = 0]) => [lon, lat])) : undefined;
};
