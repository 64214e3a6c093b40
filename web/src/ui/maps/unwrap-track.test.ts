import { expect, it } from 'vitest';
import { unwrapped } from './unwrap-track.ts';

const lons = (...all: number[]) => unwrapped(all.map((lon) => ({ lon }))).map((p) => p.lon);

it('a track across the date line continues, in both directions and back', () => {
  expect(lons(170, 179, -179, -170)).toEqual([170, 179, 181, 190]);
  expect(lons(-170, -179, 179, 170)).toEqual([-170, -179, -181, -190]);
  expect(lons(179, -179, 179)).toEqual([179, 181, 179]);
  expect(lons(10, 20, 30)).toEqual([10, 20, 30]);
});
