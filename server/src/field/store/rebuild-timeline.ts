/** Somebody says in which state something was at a moment. */
export interface Observation<S> {
  readonly state: S;
  readonly at: number;
  /** It was told as a change; else it was only seen so. */
  readonly told: boolean;
}

/** A row: something is in a state from a moment on, until the next row. */
export interface Interval<S> extends Observation<S> {
  readonly id: number;
  /** Null while it lasts. */
  readonly duration: number | null;
}

export interface RebuiltTimeline<S, F extends Observation<S>> {
  readonly made: readonly { readonly fact: F; readonly duration: number | null }[];
  readonly kept: readonly Pick<Interval<S>, 'id' | 'duration' | 'told'>[];
  readonly gone: readonly number[];
  readonly last: Observation<S> | undefined;
}

const follows = <S>(interval: Interval<S>, next: Interval<S> | undefined) =>
  next
    ? interval.duration !== null && interval.at + interval.duration === next.at && interval.state !== next.state
    : interval.duration === null;

/** The line that still lasts: one that was ended stays as it is, and the next begins after it. */
const openTimeline = <S, R extends Interval<S>>(intervals: readonly R[]) => {
  const ended = intervals.findLastIndex((interval, i) => !follows(interval, intervals[i + 1]));
  const last = intervals[ended];
  return { line: intervals.slice(ended + 1), begins: last ? last.at + (last.duration ?? 0) : Number.NEGATIVE_INFINITY };
};

/** Looks of one second are not told apart from its changes: one of them stands before these, the last that came. */
const inOrder = <S, F extends Observation<S>>(observations: readonly F[]): F[] => {
  const samples = new Map(observations.filter((f) => !f.told).map((sample) => [sample.at, sample]));
  return [...samples.values(), ...observations.filter((f) => f.told)].sort((a, b) => a.at - b.at);
};

/** A look that is contradicted by an event within so many seconds had a clock that was put right or wrong in between. */
const clockDoubt = 3600;

/**
 * Where the state changes. Events are believed before looks: where one event tells of a change and the next tells of the opposite, nothing
 * was between, whatever somebody saw shortly before the second. So looks count for what no event tells of: before the first and after the
 * last, and where two events that follow each other say the same.
 */
const turnsOf = <S, F extends Observation<S>>(observations: readonly F[]): F[] => {
  const events = observations.filter((f) => f.told);
  const isInDoubt = ({ at }: F) => {
    const [before, after] = [events.findLast((e) => e.at < at), events.find((e) => e.at >= at)];
    return before !== undefined && after !== undefined && before.state !== after.state && after.at - at <= clockDoubt;
  };
  const turns: F[] = [];
  for (const observation of observations)
    if (observation.state !== turns.at(-1)?.state && (observation.told || !isInDoubt(observation))) turns.push(observation);
  return turns;
};

/** Rows are the same if they begin in the same second after the same others of it: so the order of ids is that of the line. */
const named = <S, F extends Observation<S>>(line: readonly F[]): [string, F][] => {
  let name = '';
  return line.map((observation, i) => {
    name = line[i - 1]?.at === observation.at ? `${name} ${observation.state}` : `${observation.at} ${observation.state}`;
    return [name, observation];
  });
};

/**
 * From which moment on a line is to be made anew when something new is known from `since` on. An event may cast doubt on what was seen
 * since the one before.
 */
export const rebuildFrom = <S>(intervals: readonly Interval<S>[], since: number, isFromEvent: boolean): number => {
  const { line, begins } = openTimeline<S, Interval<S>>(intervals);
  const before = line.findLast((interval) => interval.at < since && interval.told);
  return isFromEvent && before ? before.at + 1 : Math.max(since, begins);
};

/**
 * Makes the rows what the facts say when they are put in order, whatever the order in which they came to be known. Of rows and facts all
 * from `from` on are given, and the row before. Within a second looks come before changes, and these in the order in which they stand.
 */
export const rebuildTimeline = <S, F extends Observation<S>>(
  intervals: readonly (Interval<S> & F)[],
  observations: readonly F[],
  from: number,
): RebuiltTimeline<S, F> => {
  const { line } = openTimeline<S, Interval<S> & F>(intervals);
  // What a row only saw is a fact that may be known from nowhere else.
  const known = line.filter((interval) => interval.at < from || !interval.told);
  const [first, ...more] = inOrder<S, F>([...known, ...observations.filter((f) => f.at >= from)]);
  // Nobody tells of what a line begins with.
  const turns = first ? turnsOf<S, F>([first.at < from ? first : { ...first, told: true }, ...more]) : [];

  const left = new Map(named<S, Interval<S>>(line));
  const made: { fact: F; duration: number | null }[] = [];
  const kept: Pick<Interval<S>, 'id' | 'duration' | 'told'>[] = [];
  for (const [i, [name, observation]] of named<S, F>(turns).entries()) {
    const next = turns[i + 1];
    const [same, duration] = [left.get(name), next ? next.at - observation.at : null];
    left.delete(name);
    if (!same) made.push({ fact: observation, duration });
    else if (same.duration !== duration || same.told !== observation.told) kept.push({ id: same.id, duration, told: observation.told });
  }
  return { made, kept, gone: [...left.values()].map(({ id }) => id), last: turns.at(-1) };
};
