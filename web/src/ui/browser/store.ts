import { useSyncExternalStore } from 'react';

/** A value outside of React that components can subscribe to. */
export const store = <T>(value: T) => {
  let current = value;
  const watchers = new Set<() => void>();
  const watch = (listener: () => void) => {
    watchers.add(listener);
    return () => {
      watchers.delete(listener);
    };
  };
  const get = () => current;
  return {
    get,
    set: (next: T) => {
      current = next;
      for (const listener of watchers) listener();
    },
    use: (): T => useSyncExternalStore(watch, get),
  };
};
