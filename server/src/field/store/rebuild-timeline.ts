/** State of an object at a point in time. */
export interface Observation<S> {
  readonly state: S;
  readonly at: number;
  /** True: a change that an event reported. False: a sample. */
  readonly fromEvent: boolean;
}

/** A row: the object has this state from `at` until the next row. */
export interface Interval<S> extends Observation<S> {
  readonly id: number;
  /** Null while it lasts. */
  readonly duration: number | null;
}

export interface RebuiltTimeline<S, F extends Observation<S>> {
  readonly inserted: readonly { readonly fact: F; readonly duration: number | null }[];
  readonly updated: readonly Pick<Interval<S>, 'id' | 'duration' | 'fromEvent'>[];
  readonly deleted: readonly number[];
  readonly last: Observation<S> | undefined;
}

const follows = <S>(interval: Interval<S>, next: Interval<S> | undefined) =>
  next
    ? interval.duration !== null && interval.at + interval.duration === next.at && interval.state !== next.state
    : interval.duration === null;

/** The open part of the timeline. A part that was closed is not changed. */
const openTimeline = <S, R extends Interval<S>>(intervals: readonly R[]) => {
  const ended = intervals.findLastIndex((interval, i) => !follows(interval, intervals[i + 1]));
  const last = intervals[ended];
  return { line: intervals.slice(ended + 1), begins: last ? last.at + (last.duration ?? 0) : Number.NEGATIVE_INFINITY };
};

/** Within a second, samples come before events, and only the last sample counts. */
const inOrder = <S, F extends Observation<S>>(observations: readonly F[]): F[] => {
  const samples = new Map(observations.filter((f) => !f.fromEvent).map((sample) => [sample.at, sample]));
  return [...samples.values(), ...observations.filter((f) => f.fromEvent)].sort((a, b) => a.at - b.at);
};

/** Events win over samples that contradict them within this many seconds (clock skew). */
const maxClockSkew = 3600;

/**
 * Points where the state changes. Events win over samples: between two events with opposite states, samples within an hour of the second
 * are ignored (clock skew). Samples count before the first event, after the last, and between events with equal states.
 */
const changesOf = <S, F extends Observation<S>>(observations: readonly F[]): F[] => {
  const events = observations.filter((f) => f.fromEvent);
  const isDoubtful = ({ at }: F) => {
    const before = events.findLast((e) => e.at < at);
    const after = events.find((e) => e.at >= at);
    return before !== undefined && after !== undefined && before.state !== after.state && after.at - at <= maxClockSkew;
  };
  const changes: F[] = [];
  for (const observation of observations)
    if (observation.state !== changes.at(-1)?.state && (observation.fromEvent || !isDoubtful(observation))) changes.push(observation);
  return changes;
};

/** Rows are matched by start second and by the states before them in that second. So ids keep the order of the timeline. */
const named = <S, F extends Observation<S>>(line: readonly F[]): [string, F][] => {
  let name = '';
  return line.map((observation, i) => {
    name = line[i - 1]?.at === observation.at ? `${name} ${observation.state}` : `${observation.at} ${observation.state}`;
    return [name, observation];
  });
};

/**
 * Time from which the timeline must be rebuilt when new data starts at `since`. An event can invalidate samples back to the event before
 * it.
 */
export const rebuildFrom = <S>(intervals: readonly Interval<S>[], since: number, isFromEvent: boolean): number => {
  const { line, begins } = openTimeline<S, Interval<S>>(intervals);
  const before = line.findLast((interval) => interval.at < since && interval.fromEvent);
  return isFromEvent && before ? before.at + 1 : Math.max(since, begins);
};

/**
 * Rebuilds the rows from events and samples, independent of their arrival order. The caller passes all rows and observations from `from`
 * on, and the row before. Within a second, samples come before events, and events keep their order.
 */
export const rebuildTimeline = <S, F extends Observation<S>>(
  intervals: readonly (Interval<S> & F)[],
  observations: readonly F[],
  from: number,
): RebuiltTimeline<S, F> => {
  const { line } = openTimeline<S, Interval<S> & F>(intervals);
  // A sampled row may be the only record of its sample.
  const relevant = line.filter((interval) => interval.at < from || !interval.fromEvent);
  const [first, ...more] = inOrder<S, F>([...relevant, ...observations.filter((f) => f.at >= from)]);
  // The first observation starts the timeline, so it counts like an event.
  const changes = first ? changesOf<S, F>([first.at < from ? first : { ...first, fromEvent: true }, ...more]) : [];

  const unmatched = new Map(named<S, Interval<S>>(line));
  const inserted: { fact: F; duration: number | null }[] = [];
  const updated: Pick<Interval<S>, 'id' | 'duration' | 'fromEvent'>[] = [];
  for (const [i, [name, observation]] of named<S, F>(changes).entries()) {
    const next = changes[i + 1];
    const same = unmatched.get(name);
    const duration = next ? next.at - observation.at : null;
    unmatched.delete(name);
    if (!same) inserted.push({ fact: observation, duration });
    else if (same.duration !== duration || same.fromEvent !== observation.fromEvent)
      updated.push({ id: same.id, duration, fromEvent: observation.fromEvent });
  }
  return { inserted, updated, deleted: [...unmatched.values()].map(({ id }) => id), last: changes.at(-1) };
};
