import { expect, test } from 'vitest';
import { addressBlockOf } from './rate-limit.ts';

test('addresses of one network count as one', () => {
  expect(addressBlockOf('203.0.113.9')).toBe('203.0.113.9');
  expect(addressBlockOf('::ffff:203.0.113.9')).toBe('::ffff:203.0.113.9');
  expect(addressBlockOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2');
  expect(addressBlockOf('2001:db8:1:2::9')).toBe('2001:db8:1:2');
  expect(addressBlockOf('2001:db8::9')).toBe('2001:db8:0:0');
  expect(addressBlockOf('2001::a:b:c:d:e:f')).toBe('2001:0:a:b');
  expect(addressBlockOf('::1')).toBe('0:0:0:0');
  expect(addressBlockOf('fe80::1%eth0')).toBe('fe80:0:0:0');
});
