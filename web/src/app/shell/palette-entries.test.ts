import { groups } from '@farlink/contract/menu.ts';
import { expect, test } from 'vitest';
import { entriesOf, matching } from './palette-entries.ts';

const keys = (typed: string, recent: readonly string[] = []) => matching(entriesOf(groups, recent), typed).map((e) => e.page.key);

test('a page is found by its title in either language and by its key', () => {
  expect(keys('拓扑')).toEqual(['vnoTopology']);
  expect(keys('TOPOLOGY')).toEqual(['vnoTopology']);
  expect(keys('vnotopo')).toEqual(['vnoTopology']);
});

test('a page must match every search term', () => {
  expect(keys('vno 角色')).toEqual(['vnoRole']);
  expect(keys('vno zzz')).toEqual([]);
});

test('a page with a word that starts with the typed text comes before other matches', () => {
  const found = keys('log');
  expect(found).toContain('vnoTopology');
  expect(found.indexOf('systemLog')).toBeLessThan(found.indexOf('vnoTopology'));
});

test('recent pages come first, the most recent at the top', () => {
  expect(keys('', ['systemLog', 'vnoRole']).slice(0, 3)).toEqual(['systemLog', 'vnoRole', 'homeDashboard']);
});
