import { expect, test } from 'vitest';
import { factoryDocs } from './config.ts';
import { networkOfType, typeOfNetwork } from './link-type.ts';
import { kbitsOf, kilobytesOf, localTempReleaseRule } from './speed.ts';

test('a speed in kilobytes is converted to kilobits and back, and 0 stays unlimited', () => {
  expect([0, 1, 32, 1_250_000].map(kbitsOf)).toEqual([0, 8, 256, 10_000_000]);
  expect([0, 1, 8, 9, 256].map(kilobytesOf)).toEqual([0, 1, 1, 2, 32]);
  expect(Array.from({ length: 100 }, (_, kb) => kilobytesOf(kbitsOf(kb)))).toEqual(Array.from({ length: 100 }, (_, kb) => kb));
});

test('the local temporary release of a gateway is a rule with the id 0 if it is enabled', () => {
  const factory = factoryDocs.get('auth_temp_release') ?? {};
  expect(localTempReleaseRule(factory)).toBeUndefined();
  const rule = { id: 0, t: 300, n: 3, lock: 3600, refresh: 86_400, up: 32, down: 64, max: 60 };
  expect(localTempReleaseRule({ ...factory, enabled: true })).toEqual(rule);
});

test('a link type is converted to a network and back, and shore is unknown', () => {
  expect(['6d', 'lband', 'lte', 'leo', 'shore'].map(networkOfType)).toEqual(['6d', 'l_band', 'lte', 'low_orbit', 'unknown']);
  expect(['6d', 'l_band', 'lte', 'low_orbit', 'unknown'].map(typeOfNetwork)).toEqual(['6d', 'lband', 'lte', 'leo', 'shore']);
});
