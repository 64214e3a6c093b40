import type { Group, Head, Me } from '@farlink/contract/kit/page.ts';
import { expect, test } from 'vitest';
import { firstRoute, homeRoute, menuGroups, menuPageOf, permittedGroups } from './permitted.ts';

const page = (key: string, route: string, more: Partial<Head> = {}): Head => ({
  key,
  title: [key, key],
  route,
  permission: key,
  ...more,
});

const groups: readonly Group[] = [
  { key: 'vno', title: ['a', 'a'], icon: '', pages: [page('list', '/vno/list'), page('role', '/vno/role')] },
  { key: 'card', title: ['b', 'b'], icon: '', pages: [page('make', '/card/make', { hidden: true }), page('all', '/card/all')] },
  { key: 'home', title: ['c', 'c'], icon: '', pages: [page('dashboard', '/home/dashboard')] },
];

const me = (permissions: readonly string[] | null): Me => ({
  uid: 1,
  agent_id: 1,
  agent_level: 0,
  agent_mode: 1,
  agent_child_enable: true,
  is_admin: permissions === null,
  permissions,
  operate_permissions: {},
  view_hide_pkg: false,
});

test('a group opens its first permitted page', () => {
  expect(firstRoute(permittedGroups(groups, me(['role', 'all'])))).toBe('/vno/role');
  expect(permittedGroups(groups, me(['role'])).map((g) => g.path)).toEqual(['/vno']);
});

test('a hidden page is neither in the menu nor a first page', () => {
  const open = permittedGroups(groups, me(['make']));
  expect(open).toHaveLength(1);
  expect(menuGroups(open)).toEqual([]);
  expect(firstRoute(open)).toBeNull();
});

test('the home page is the dashboard if permitted, otherwise the first permitted page', () => {
  expect(homeRoute(permittedGroups(groups, me(null)))).toBe('/home/dashboard');
  expect(homeRoute(permittedGroups(groups, me(['all'])))).toBe('/card/all');
});

test('there is no home page without permissions', () => {
  expect(homeRoute(permittedGroups(groups, me([])))).toBeNull();
});

test('a page outside the menu belongs to the menu page that grants it', () => {
  const detail = page('detail', '/vno/detail/:id', { hidden: true, grantedBy: ['nothing', 'role'] });
  const menu = menuGroups(permittedGroups(groups, me(null)));
  expect(menuPageOf(menu, detail)?.key).toBe('role');
  expect(menuPageOf(menu, page('list', '/vno/list'))?.key).toBe('list');
  expect(menuPageOf(menuGroups(permittedGroups(groups, me(['all']))), detail)).toBeUndefined();
  expect(menuPageOf(menu, undefined)).toBeUndefined();
});
