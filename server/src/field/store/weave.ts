/** Something is in a state from a moment on, until the next one. */
export interface Stay<S> {
  /** Of the row that tells of it; a new one has none yet. */
  readonly id?: number | undefined;
  readonly state: S;
  readonly at: number;
  /** Null while it lasts. */
  readonly duration: number | null;
}

/** Somebody says in which state it was at a moment. */
export interface Sighting<S> {
  readonly state: S;
  readonly at: number;
}

interface Point<S> extends Sighting<S> {
  readonly id?: number | undefined;
}

export interface Woven<S> {
  /** The stays that are new or other than they were. */
  readonly changed: readonly Stay<S>[];
  /** As far as it is known. */
  readonly last: Sighting<S> | undefined;
}

/**
 * Puts sightings into a line of stays, whatever the order in which they arrive: one that tells nothing new leaves no trace, one that
 * comes late stands where it belongs, and a stay that turns out to have begun earlier is moved. Within one second a look (`seen`) comes
 * before what changed (`told`, in its order), because whoever tells of a change knows more than whoever only looked.
 */
export const weave = <S>(stays: readonly Stay<S>[], seen: readonly Sighting<S>[], told: readonly Sighting<S>[]): Woven<S> => {
  const points: readonly Point<S>[] = [...seen, ...stays, ...told];
  const line: Point<S>[] = [];
  for (const point of points.toSorted((a, b) => a.at - b.at)) {
    const last = line.at(-1);
    if (last?.state !== point.state) line.push(point);
    else if (last.id === undefined && point.id !== undefined) line.splice(-1, 1, { ...last, id: point.id });
  }
  const was = new Map(stays.map((stay) => [stay.id, stay]));
  const changed = line
    .map(({ id, state, at }, i): Stay<S> => {
      const next = line[i + 1];
      return { id, state, at, duration: next ? next.at - at : null };
    })
    .filter(({ id, at, duration }) => {
      const before = id === undefined ? undefined : was.get(id);
      return before?.at !== at || before.duration !== duration;
    });
  return { changed, last: line.at(-1) };
};
