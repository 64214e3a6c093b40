import type { ConfigNode, ConfigTree } from '@farlink/contract/config/config.ts';

type Groups = ConfigTree['groups'];

/** The visible menu: without hidden pages and shortcuts. */
export const treeGroups = (groups: Groups): Groups =>
  groups.flatMap((group) => {
    const pages = group.pages.filter((node) => !node.hidden && node.quick === null);
    return pages.length > 0 ? [{ ...group, pages }] : [];
  });

/** Shortcuts to pages that can be opened. */
export const quickPages = (groups: Groups): readonly ConfigNode[] => {
  const all = groups.flatMap(({ pages }) => pages);
  return all.filter(({ quick }) => quick !== null && all.some(({ key }) => key === quick));
};

export const nodeOf = (groups: Groups, key: string | null): ConfigNode | undefined =>
  groups.flatMap(({ pages }) => pages).find((node) => node.key === key);

/** Rank of a search match, lower is better; undefined: no match. */
const fit = (node: ConfigNode, group: string, searchText: string): number | undefined => {
  const names = [node.zh, node.en, node.key].map((name) => name.toLowerCase());
  if (names.includes(searchText)) return 0;
  if (names.some((name) => name.startsWith(searchText))) return 1;
  if (names.some((name) => name.includes(searchText))) return 2;
  return group.includes(searchText) ? 3 : undefined;
};

export interface Found {
  readonly node: ConfigNode;
  readonly group: { readonly zh: string; readonly en: string };
}

/** Pages by name in both languages or by key, best match first; a matching group includes all its pages. */
export const searchPages = (groups: Groups, typed: string): readonly Found[] => {
  const searchText = typed.trim().toLowerCase();
  if (searchText === '') return [];
  return treeGroups(groups)
    .flatMap((group) => {
      const name = `${group.zh}\n${group.en}\n${group.key}`.toLowerCase();
      return group.pages.flatMap((node) => {
        const rank = fit(node, name, searchText);
        return rank === undefined ? [] : [{ node, group, rank }];
      });
    })
    .sort((a, b) => a.rank - b.rank);
};

export interface StateCounts {
  readonly drafts: number;
  readonly failed: number;
  readonly drifted: number;
  readonly waiting: number;
}

/** Number of pages in a group that need attention. */
export const stateCountsOf = (pages: readonly ConfigNode[]): StateCounts => ({
  drafts: pages.filter(({ draft }) => draft).length,
  failed: pages.filter(({ state }) => state === 'failed').length,
  drifted: pages.filter(({ state }) => state === 'drifted').length,
  waiting: pages.filter(({ state }) => state === 'pending' || state === 'applying').length,
});
