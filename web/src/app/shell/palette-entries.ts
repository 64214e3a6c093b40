import type { Group, Head } from '@farlink/contract/kit/page.ts';

export interface Entry {
  readonly page: Head;
  readonly group: Group;
  readonly recent: boolean;
}

/** Recent pages first, most recent on top; then the menu order. */
export const entriesOf = (groups: readonly Group[], recent: readonly string[]): readonly Entry[] => {
  const all = groups.flatMap((group) => group.pages.map((page) => ({ page, group, recent: recent.includes(page.key) })));
  const rank = ({ page, recent: isRecent }: Entry) => (isRecent ? recent.indexOf(page.key) : recent.length);
  return all.toSorted((a, b) => rank(a) - rank(b));
};

/**
 * Every search term must occur in the page title (either language), the group title or the key. Pages whose title words start with it come
 * first.
 */
export const matching = (entries: readonly Entry[], typed: string): readonly Entry[] => {
  const terms = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => terms.every((term) => text.toLowerCase().includes(term));
  const begins = ({ page }: Entry) => terms.every((term) => ` ${page.title.join(' ')}`.toLowerCase().includes(` ${term}`));
  return entries
    .filter(({ page, group }) => has([...page.title, ...group.title, page.key].join(' ')))
    .toSorted((a, b) => Number(begins(b)) - Number(begins(a)));
};
