import { expect, test } from 'vitest';
import { isRisky } from './risk.ts';

test('a page that can interrupt a link is risky', () => {
  const pages = [
    'network_wan',
    'network_cellular',
    'satellite_route_leo',
    'link_change_lock',
    'fence_area',
    'fence_policy',
    'fence_setting',
  ];
  expect(pages.filter((page) => !isRisky(page))).toEqual([]);
  expect(isRisky('hidden_debug')).toBe(false);
});
