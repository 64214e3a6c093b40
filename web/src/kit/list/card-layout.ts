import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Column } from './columns.ts';

export interface CardLayout {
  /** The first one with a value is the title. */
  readonly titles: readonly Column[];
  /** Colored options next to the title. */
  readonly states: readonly Column[];
  readonly facts: readonly Column[];
  /** Shown after "all facts". */
  readonly rest: readonly Column[];
}

const maxStates = 2;
const maxFacts = 5;

const isColored = ({ field }: Column) => field.kind === 'choice' && field.options?.some((o) => o.color !== undefined) === true;
/** States come before types: first options with a dot, then fields named state or status. */
const stateRank = ({ name, field }: Column) => (field.options?.some((o) => o.point) ? 0 : /stat(e|us)$/.test(name) ? 1 : 2);

/** Layout of one row as a card. Money and the sort column are always included. */
export const cardLayout = (columns: readonly Column[], r: Pick<Resource, 'orderby' | 'title'>): CardLayout => {
  const named = r.title.flatMap((name) => columns.find((c) => c.name === name) ?? []);
  const titles = named.length > 0 ? named : columns.slice(0, 1);
  const title = titles[0];
  const states = columns
    .filter((c) => c !== title && isColored(c))
    .toSorted((a, b) => stateRank(a) - stateRank(b))
    .slice(0, maxStates);
  const others = columns.filter((c) => c !== title && !states.includes(c));
  const sorted = r.orderby.split(' ')[0];
  const first = others.filter((c) => c.field.kind === 'money' || c.name === sorted).slice(0, maxFacts);
  const chosen = new Set([...first, ...others.filter((c) => !first.includes(c)).slice(0, maxFacts - first.length)]);
  return { titles, states, facts: others.filter((c) => chosen.has(c)), rest: others.filter((c) => !chosen.has(c)) };
};
