import { expect, test } from 'vitest';
import { gatewayPages } from '../menu.ts';
import { readDocument } from './document.ts';
import { networkOfType, typeOfNetwork } from './link-type.ts';
import { kbitsOf, kilobytesOf, releaseSection } from './speed.ts';

test('a speed of the console is eight times as many kilobits at the gateway, and unlimited stays unlimited', () => {
  expect([0, 1, 32, 1_250_000].map(kbitsOf)).toEqual([0, 8, 256, 10_000_000]);
  expect([0, 1, 8, 9, 256].map(kilobytesOf)).toEqual([0, 1, 1, 2, 32]);
  expect(Array.from({ length: 100 }, (_, kb) => kilobytesOf(kbitsOf(kb)))).toEqual(Array.from({ length: 100 }, (_, kb) => kb));
});

test('the rule of temporary release becomes a section that the gateway takes', () => {
  const doc = releaseSection({ pass_time: 300, pass_count: 3, lock_time: 3600, refresh_time: 86_400, limit_up: 32, limit_down: 64 });
  expect(doc).toMatchObject({ pass_time: 300, limit_up: 256, limit_down: 512 });
  const page = gatewayPages.get('auth_temp_release');
  expect(page && readDocument(page, doc)).toEqual({ doc, problems: [] });
});

test('a kind of link is a network of the console, and shore wiring is unknown', () => {
  expect(['6d', 'lband', 'lte', 'leo', 'shore'].map(networkOfType)).toEqual(['6d', 'l_band', 'lte', 'low_orbit', 'unknown']);
  expect(['6d', 'l_band', 'lte', 'low_orbit', 'unknown'].map(typeOfNetwork)).toEqual(['6d', 'lband', 'lte', 'leo', 'shore']);
});
