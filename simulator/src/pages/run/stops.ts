import type { Box } from '../../box.ts';

/** What runs in each gateway, and whether somebody wants it to end. */
const running = new WeakMap<Box, Map<string, boolean>>();

const of = (box: Box) => {
  const found = running.get(box) ?? new Map<string, boolean>();
  running.set(box, found);
  return found;
};

export const beginRun = (box: Box, id: string) => void of(box).set(id, false);
export const endRun = (box: Box, id: string) => void of(box).delete(id);

/** False: there is nothing to stop. */
export const stopRun = (box: Box, id: string): boolean => {
  if (!of(box).has(id)) return false;
  of(box).set(id, true);
  return true;
};

export const isStopped = (box: Box, id: string): boolean => of(box).get(id) === true;
