import { Random } from '@farlink/contract/kit/random.ts';

/** Cells of three degrees and three hours. */
const cell = 3;
const span = 3 * 3600;

const corner = (x: number, y: number, t: number, seed: number) =>
  new Random(Math.imul(x, 374_761_393) ^ Math.imul(y, 668_265_263) ^ Math.imul(t, 2_246_822_519) ^ Math.imul(seed, 3_266_489_917)).next();

const mix = (a: number, b: number, share: number) => a + (b - a) * share * share * (3 - 2 * share);

/** Rain at a position and time, 0 to 1. It is the same for all ships there and changes slowly. */
export const rainAt = (lat: number, lon: number, t: number, seed: number): number => {
  const x = lon / cell;
  const y = lat / cell;
  const z = t / span;
  const x0 = Math.floor(x);
  const y0 = Math.floor(y);
  const z0 = Math.floor(z);
  const plane = (zi: number) => {
    const row = (yi: number) => mix(corner(x0, yi, zi, seed), corner(x0 + 1, yi, zi, seed), x - x0);
    return mix(row(y0), row(y0 + 1), y - y0);
  };
  return mix(plane(z0), plane(z0 + 1), z - z0);
};
