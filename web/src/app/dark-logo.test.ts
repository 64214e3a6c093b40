import { expect, test } from 'vitest';
import { isCutOut, lightenDark } from './dark-logo.ts';

test('pixels that are dark on the dark surface become light and keep their hue, others stay', () => {
  const navy = [11, 61, 120, 255];
  const blue = [60, 140, 235, 255];
  const rgba = new Uint8ClampedArray([...navy, ...blue, 255, 255, 255, 255, 0, 0, 0, 0]);
  lightenDark(rgba);
  const [r = 0, g = 0, b = 0, alpha] = rgba;
  expect(b).toBeGreaterThan(g);
  expect(g).toBeGreaterThan(r);
  expect(r).toBeGreaterThan(120);
  expect(alpha).toBe(255);
  expect([...rgba.subarray(4, 12)]).toEqual([...blue, 255, 255, 255, 255]);
  expect(rgba[15]).toBe(0);
});

test('an image with opaque corners has its own background', () => {
  const clear = new Uint8ClampedArray(16);
  expect(isCutOut(clear, 2, 2)).toBe(true);
  clear[15] = 255;
  expect(isCutOut(clear, 2, 2)).toBe(false);
});
