import { useSyncExternalStore } from 'react';

/** A value outside of React that components can subscribe to. */
export const store = <T>(value: T) => {
  let current = value;
  const watchers = new Set<() => void>();
  const watch = (tell: () => void) => {
    watchers.add(tell);
    return () => {
      watchers.delete(tell);
    };
  };
  const get = () => current;
  return {
    get,
    set: (next: T) => {
      current = next;
      for (const tell of watchers) tell();
    },
    use: (): T => useSyncExternalStore(watch, get),
  };
};
