import type { Group, Head, Me } from '@farlink/contract/kit/page.ts';
import { entryGrant, mayOpen } from '@farlink/contract/rights.ts';

export interface OpenGroup extends Group {
  /** `/vno`: common path prefix of its pages. */
  readonly path: string;
}

/** The groups with at least one permitted page, each with those pages only. */
export const permittedGroups = (groups: readonly Group[], me: Me): readonly OpenGroup[] =>
  groups
    .map((g) => ({
      ...g,
      path: `/${g.pages[0]?.route.split('/')[1] ?? ''}`,
      pages: g.pages.filter((p) => mayOpen(p, me) && entryGrant(p, me) === '11'),
    }))
    .filter((g) => g.pages.length > 0);

const inMenu = (page: Head) => page.hidden !== true;

export const menuGroups = (open: readonly OpenGroup[]): readonly OpenGroup[] =>
  open.map((g) => ({ ...g, pages: g.pages.filter(inMenu) })).filter((g) => g.pages.length > 0);

/** The menu page that a page belongs to: itself, or for a page outside the menu the one whose permission opens it. */
export const menuPageOf = (menu: readonly OpenGroup[], page: Head | undefined): Head | undefined => {
  const all = menu.flatMap((g) => g.pages);
  const names = page?.grantedBy ?? [];
  return all.find((p) => p.key === page?.key) ?? names.flatMap((name) => all.find((p) => p.permission === name) ?? [])[0];
};

export const firstChild = (group: OpenGroup | undefined): string | null => group?.pages.find(inMenu)?.route ?? null;

/** spec §2: the first child of the first permitted group; null when nothing is permitted. */
export const firstRoute = (open: readonly OpenGroup[]): string | null => firstChild(menuGroups(open)[0]);

export const homeRoute = (open: readonly OpenGroup[]): string | null => firstChild(open.find((g) => g.key === 'home')) ?? firstRoute(open);
