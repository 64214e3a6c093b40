import { expect, test } from 'vitest';
import { ringIn, ringOut, ringText, wrapped } from './ring.ts';

test('a ring across the date line is drawn in one piece and returned unchanged', () => {
  const ring = [
    [179, 10],
    [-179, 10],
    [-179, -10],
    [179, -10],
  ] as const;
  const drawn = ringOut(ring);
  expect(drawn.map(([lon]) => lon)).toEqual([179, 181, 181, 179]);
  expect(ringIn([...drawn, drawn[0] ?? [0, 0]])).toEqual(ring);
});

test('a longitude beyond 180 degrees is wrapped', () => {
  expect([181, -181, 540, 180, -180, 0, 719.5].map(wrapped)).toEqual([-179, 179, 180, 180, -180, 0, -0.5]);
});

test('coordinates are parsed with different separators, and one invalid line refuses all', () => {
  expect(ringText('113.5, 22.1\n114 22.1\n\n114;21')).toEqual([
    [113.5, 22.1],
    [114, 22.1],
    [114, 21],
  ]);
  expect(ringText('113.5, 22.1\nnorth')).toBeUndefined();
  expect(ringText('200, 10')).toBeUndefined();
  expect(ringText('10, 20, 30')).toBeUndefined();
});
