import type { Deps } from '../../kit/deps.ts';

type Cached = Pick<Deps, 'clock' | 'pool'>;

/**
 * Reads at most once in `seconds` for each database, and never twice at the same time: a query that waits for a lock must not take one
 * connection after the other. A failed read is not cached.
 */
export const cachedFor = <D extends Cached, T>(seconds: number, read: (deps: D) => Promise<T>): ((deps: D) => Promise<T>) => {
  const known = new WeakMap<Deps['pool'], { readonly at: number; readonly value: Promise<T>; isDone: boolean }>();
  return (deps) => {
    const now = deps.clock.now();
    const last = known.get(deps.pool);
    if (last && (!last.isDone || now - last.at < seconds)) return last.value;
    const entry = { at: now, value: read(deps), isDone: false };
    known.set(deps.pool, entry);
    entry.value.then(
      () => {
        entry.isDone = true;
      },
      () => known.delete(deps.pool),
    );
    return entry.value;
  };
};
