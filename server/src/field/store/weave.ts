/** Somebody says in which state something was at a moment. */
export interface Fact<S> {
  readonly state: S;
  readonly at: number;
  /** It was told as a change; else it was only seen so. */
  readonly told: boolean;
}

/** A row: something is in a state from a moment on, until the next row. */
export interface Stay<S> extends Fact<S> {
  readonly id: number;
  /** Null while it lasts. */
  readonly duration: number | null;
}

export interface Woven<S, F extends Fact<S>> {
  readonly made: readonly { readonly fact: F; readonly duration: number | null }[];
  readonly kept: readonly Pick<Stay<S>, 'id' | 'duration' | 'told'>[];
  readonly gone: readonly number[];
  readonly last: Fact<S> | undefined;
}

const follows = <S>(stay: Stay<S>, next: Stay<S> | undefined) =>
  next ? stay.duration !== null && stay.at + stay.duration === next.at && stay.state !== next.state : stay.duration === null;

/** The line that still lasts: one that was ended stays as it is, and the next begins after it. */
const lastLine = <S, R extends Stay<S>>(stays: readonly R[]) => {
  const ended = stays.findLastIndex((stay, i) => !follows(stay, stays[i + 1]));
  const last = stays[ended];
  return { line: stays.slice(ended + 1), begins: last ? last.at + (last.duration ?? 0) : Number.NEGATIVE_INFINITY };
};

/** Looks of one second are not told apart from its changes: one of them stands before these, the last that came. */
const inOrder = <S, F extends Fact<S>>(facts: readonly F[]): F[] => {
  const looks = new Map(facts.filter((f) => !f.told).map((look) => [look.at, look]));
  return [...looks.values(), ...facts.filter((f) => f.told)].sort((a, b) => a.at - b.at);
};

/** A look that is contradicted by an event within so many seconds had a clock that was put right or wrong in between. */
const clockDoubt = 3600;

/**
 * Where the state changes. Events are believed before looks: where one event tells of a change and the next tells of the opposite, nothing
 * was between, whatever somebody saw shortly before the second. So looks count for what no event tells of: before the first and after the
 * last, and where two events that follow each other say the same.
 */
const turnsOf = <S, F extends Fact<S>>(facts: readonly F[]): F[] => {
  const told = facts.filter((f) => f.told);
  const isInDoubt = ({ at }: F) => {
    const [before, after] = [told.findLast((e) => e.at < at), told.find((e) => e.at >= at)];
    return before !== undefined && after !== undefined && before.state !== after.state && after.at - at <= clockDoubt;
  };
  const turns: F[] = [];
  for (const fact of facts) if (fact.state !== turns.at(-1)?.state && (fact.told || !isInDoubt(fact))) turns.push(fact);
  return turns;
};

/** Rows are the same if they begin in the same second after the same others of it: so the order of ids is that of the line. */
const named = <S, F extends Fact<S>>(line: readonly F[]): [string, F][] => {
  let name = '';
  return line.map((fact, i) => {
    name = line[i - 1]?.at === fact.at ? `${name} ${fact.state}` : `${fact.at} ${fact.state}`;
    return [name, fact];
  });
};

/**
 * From which moment on a line is to be made anew when something new is known from `since` on. An event may cast doubt on what was seen
 * since the one before.
 */
export const anewFrom = <S>(stays: readonly Stay<S>[], since: number, isTold: boolean): number => {
  const { line, begins } = lastLine<S, Stay<S>>(stays);
  const before = line.findLast((stay) => stay.at < since && stay.told);
  return isTold && before ? before.at + 1 : Math.max(since, begins);
};

/**
 * Makes the rows what the facts say when they are put in order, whatever the order in which they came to be known. Of rows and facts all
 * from `from` on are given, and the row before. Within a second looks come before changes, and these in the order in which they stand.
 */
export const weave = <S, F extends Fact<S>>(stays: readonly (Stay<S> & F)[], facts: readonly F[], from: number): Woven<S, F> => {
  const { line } = lastLine<S, Stay<S> & F>(stays);
  // What a row only saw is a fact that may be known from nowhere else.
  const known = line.filter((stay) => stay.at < from || !stay.told);
  const [first, ...more] = inOrder<S, F>([...known, ...facts.filter((f) => f.at >= from)]);
  // Nobody tells of what a line begins with.
  const turns = first ? turnsOf<S, F>([first.at < from ? first : { ...first, told: true }, ...more]) : [];

  const left = new Map(named<S, Stay<S>>(line));
  const made: { fact: F; duration: number | null }[] = [];
  const kept: Pick<Stay<S>, 'id' | 'duration' | 'told'>[] = [];
  for (const [i, [name, fact]] of named<S, F>(turns).entries()) {
    const next = turns[i + 1];
    const [same, duration] = [left.get(name), next ? next.at - fact.at : null];
    left.delete(name);
    if (!same) made.push({ fact, duration });
    else if (same.duration !== duration || same.told !== fact.told) kept.push({ id: same.id, duration, told: fact.told });
  }
  return { made, kept, gone: [...left.values()].map(({ id }) => id), last: turns.at(-1) };
};
