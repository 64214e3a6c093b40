import { expect, test } from 'vitest';
import { otherBytes, routeWith } from './rank-links.ts';

test('a link to an application, user or device keeps the period and drops the other subject', () => {
  const filters = { protocol_id: '124', time_start: '1', stat_by: 'day' };
  expect(routeWith('/flow/business-dpi', filters, { account: 'a b' })).toBe('/flow/business-dpi?time_start=1&stat_by=day&account=a+b');
  expect(routeWith('/flow/business-dpi', { protocol_id: '124' }, {})).toBe('/flow/business-dpi');
});

test('the bytes of unlisted applications are the total minus the listed ones', () => {
  expect(otherBytes([{ total_bytes: 3 }, { total_bytes: 4 }], 10)).toBe(3);
});
