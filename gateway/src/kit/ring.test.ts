import { describe, expect, test } from 'vitest';
import { crossingOf, isInsideRing, type Point } from './ring.ts';

describe('crossing edges of a ring', () => {
  test.each<[string, [number, number][], readonly [number, number] | undefined]>([
    [
      'a triangle',
      [
        [0, 0],
        [1, 0],
        [0, 1],
      ],
      undefined,
    ],
    [
      'a bow tie',
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
      [0, 2],
    ],
    [
      'a ring that repeats its first point',
      [
        [0, 0],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
      undefined,
    ],
    [
      'a line',
      [
        [0, 0],
        [1, 0],
        [2, 0],
      ],
      [0, 2],
    ],
    [
      'a corner on another edge',
      [
        [0, 0],
        [4, 0],
        [4, 4],
        [2, 0],
        [0, 4],
      ],
      [0, 2],
    ],
    [
      'a rectangle across the date line',
      [
        [170, 0],
        [-170, 0],
        [-170, 10],
        [170, 10],
      ],
      undefined,
    ],
    [
      'a bow tie across the date line',
      [
        [170, 0],
        [-170, 10],
        [-170, 0],
        [170, 10],
      ],
      [0, 2],
    ],
    [
      'a ring around the pole',
      [
        [0, 70],
        [90, 70],
        [180, 70],
        [-90, 70],
      ],
      undefined,
    ],
    [
      'a ring of one repeated point',
      [
        [5, 5],
        [5, 5],
        [5, 5],
      ],
      [0, 1],
    ],
  ])('%s', (_name, ring, crossing) => {
    expect(crossingOf(ring)).toEqual(crossing);
  });
});

describe('a point', () => {
  const harbour: Point[] = [
    [120, 30],
    [122, 30],
    [122, 32],
    [120, 32],
  ];
  const dateLine: Point[] = [
    [178, -5],
    [-178, -5],
    [-178, 5],
    [178, 5],
  ];

  test.each<[string, readonly Point[], Point, boolean]>([
    ['is inside', harbour, [121, 31], true],
    ['is outside', harbour, [123, 31], false],
    ['is inside west of the date line', dateLine, [179, 0], true],
    ['is inside east of the date line', dateLine, [-179, 0], true],
    ['is outside on the other side of the earth', dateLine, [0, 0], false],
    ['is outside beyond the date line', dateLine, [-177, 0], false],
  ])('%s', (_name, ring, point, inside) => {
    expect(isInsideRing(ring, point)).toBe(inside);
  });
});
