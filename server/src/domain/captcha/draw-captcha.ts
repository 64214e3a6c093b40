import { randomInt } from 'node:crypto';
import { limits } from '@farlink/contract/limits.ts';
import { drawn, glyphs } from './captcha-font.ts';

type Point = readonly [x: number, y: number];
type Line = readonly Point[];

const width = 120;
const height = 40;

const between = (low: number, high: number) => low + (randomInt(2 ** 32) / 2 ** 32) * (high - low);

const randomOf = <T>(from: ArrayLike<T>): T => {
  const found = from[randomInt(from.length)];
  if (found === undefined) throw new Error('nothing to pick from');
  return found;
};

/** Samples a Catmull-Rom spline through the points, or straight lines between them. */
const sample = (points: Line, round: boolean): Point[] => {
  const at = (i: number): Point => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0];
  const along = (i: number, t: number, axis: 0 | 1) => {
    const a = at(i - 1)[axis];
    const b = at(i)[axis];
    const c = at(i + 1)[axis];
    const d = at(i + 2)[axis];
    if (!round) return b + (c - b) * t;
    return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
  };
  const steps = points.slice(1).flatMap((_, i): Point[] => [0, 0.25, 0.5, 0.75].map((t) => [along(i, t, 0), along(i, t, 1)]));
  return [...steps, at(points.length - 1)];
};

const strokesOf = (letter: string): Point[][] =>
  (glyphs[letter] ?? '').split('|').map((stroke) => {
    const points = [...stroke.matchAll(/(\d)(\d)/g)].map((m): Point => [Number(m[1]), Number(m[2])]);
    return sample(points, stroke.startsWith('~'));
  });

/** Each letter gets a random rotation, slant, size and position. */
const placeStrokes = (letter: string, index: number): Point[][] => {
  const rotation = between(-0.3, 0.3);
  const slant = between(-0.25, 0.25);
  const wide = between(3.9, 5);
  const tall = between(3.6, 4.4);
  const left = 19 + index * 27 + between(-3, 3);
  const top = height / 2 + between(-3, 3);
  const cos = Math.cos(rotation);
  const sin = Math.sin(rotation);
  return strokesOf(letter).map((line) =>
    line.map(([gx, gy]): Point => {
      const y = (gy - 3) * tall;
      const x = (gx - 2) * wide - (gy - 3) * tall * slant;
      return [left + x * cos - y * sin + between(-0.35, 0.35), top + x * sin + y * cos + between(-0.35, 0.35)];
    }),
  );
};

const noiseCurve = (): Point[] => {
  const points = Array.from({ length: 5 }, (_, i): Point => [between(-6, 6) + (i * width) / 4, between(4, height - 4)]);
  return sample(points, true);
};

const noiseTick = (): Point[] => {
  const x = between(4, width - 4);
  const y = between(4, height - 4);
  return sample(
    [
      [x, y],
      [x + between(-5, 5), y + between(-5, 5)],
    ],
    false,
  );
};

/** Distorts the whole picture with two sine waves. */
const wave = () => {
  const across = between(1, 2);
  const down = between(1, 2);
  const phase = between(0, 6.3);
  const shift = between(0, 6.3);
  return ([x, y]: Point): Point => [x + across * Math.sin(y / 7 + phase), y + down * Math.sin(x / 13 + shift)];
};

/** Cuts lines into short pieces, so the markup does not distinguish letters from noise lines. */
const pieces = (line: Line): Line[] => {
  const out: Line[] = [];
  for (let at = 0; at < line.length - 1; ) {
    const length = randomInt(2, 6);
    out.push(line.slice(at, at + length + 1));
    at += length;
  }
  return out;
};

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: randomInt(2 ** 32) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item);

const draw = (answer: string): string => {
  const letters = [...answer.toUpperCase()].flatMap(placeStrokes);
  const noise = [noiseCurve(), noiseCurve(), ...Array.from({ length: 5 }, noiseTick)];
  const distort = wave();
  const color = `hsl(${randomInt(200, 260)} 60% 32%)`;
  const background = `hsl(${randomInt(200, 260)} 40% 96%)`;
  const cut = (lines: readonly Line[], thin: number, thick: number) =>
    lines.flatMap(pieces).map((piece) => {
      const d = piece
        .map(
          (point, i) =>
            `${i === 0 ? 'M' : 'L'}${distort(point)
              .map((n) => n.toFixed(1))
              .join(' ')}`,
        )
        .join('');
      return `<path d="${d}" stroke-width="${between(thin, thick).toFixed(1)}"/>`;
    });
  const paths = shuffled([...cut(letters, 1.6, 2.7), ...cut(noise, 0.6, 1.8)]).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><rect width="${width}" height="${height}" fill="${background}"/><g fill="none" stroke="${color}" stroke-linecap="round" stroke-linejoin="round">${paths}</g></svg>`;
};

/** A picture that is easy for a person, and that a script cannot read from the SVG source. */
export const newCaptcha = (fixed?: string): { readonly answer: string; readonly svg: string } => {
  const answer = fixed ?? Array.from({ length: limits.captchaLength }, () => randomOf(drawn)).join('');
  return { answer, svg: draw(answer) };
};
