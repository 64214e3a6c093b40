import type { ConfigNode } from '@farlink/contract/config/config.ts';
import { expect, test } from 'vitest';
import { nodeOf, quickPages, searchPages, stateCountsOf, treeGroups } from './page-search.ts';

const node = (key: string, zh: string, en: string, more: Partial<ConfigNode> = {}): ConfigNode => ({
  key,
  zh,
  en,
  kind: 'form',
  writable: true,
  hidden: false,
  quick: null,
  state: 'none',
  draft: false,
  ...more,
});
const groups = [
  {
    key: 'network',
    zh: '网络设置',
    en: 'Network',
    pages: [node('network_wan', 'WAN设置', 'WAN'), node('network_dns', 'DNS设置', 'DNS', { draft: true, state: 'failed' })],
  },
  { key: 'diagnosis', zh: '网络诊断', en: 'Diagnosis', pages: [node('diagnosis_dns_lookup', 'DNS查询', 'DNS lookup', { state: null })] },
  {
    key: 'quick_menu',
    zh: '快捷菜单',
    en: 'Quick menu',
    pages: [
      node('quick_menu_a', '去WAN', 'To WAN', { quick: 'network_wan' }),
      node('quick_menu_b', '去别处', 'Elsewhere', { quick: 'network_lan' }),
    ],
  },
  { key: 'hidden', zh: '隐藏页面', en: 'Hidden pages', pages: [node('hidden_debug', '调试', 'Debug', { hidden: true })] },
];
const keys = (typed: string) => searchPages(groups, typed).map((found) => found.node.key);

test('pages are found by either name or by key, the best first', () => {
  expect(keys('dns')).toEqual(['network_dns', 'diagnosis_dns_lookup']);
  expect(keys('DNS查')).toEqual(['diagnosis_dns_lookup']);
  expect(keys('lookup')).toEqual(['diagnosis_dns_lookup']);
  expect(keys('network_w')).toEqual(['network_wan']);
  expect(keys('')).toEqual([]);
});

test('a group that matches returns all its pages', () => {
  expect(keys('网络设置')).toEqual(['network_wan', 'network_dns']);
});

test('hidden pages and shortcuts are not in the tree or the search; a hidden page opens by its key', () => {
  expect(treeGroups(groups).map(({ key }) => key)).toEqual(['network', 'diagnosis']);
  expect(keys('debug')).toEqual([]);
  expect(keys('去WAN')).toEqual([]);
  expect(nodeOf(groups, 'hidden_debug')?.en).toBe('Debug');
});

test('a shortcut is offered only with the right to open its target', () => {
  expect(quickPages(groups).map(({ key }) => key)).toEqual(['quick_menu_a']);
});

test('a group counts its drafts and its failed, drifted and waiting pages', () => {
  expect(stateCountsOf(groups[0]?.pages ?? [])).toEqual({ drafts: 1, failed: 1, drifted: 0, waiting: 0 });
});
