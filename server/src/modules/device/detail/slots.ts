/** Maximum of points on a chart or map, maximum of samples read for them, and the shortest sampling interval. */
const maxPoints = 500;
const maxSlots = 4000;
const shortestS = 10;

/** A point covers `step` seconds; one sample is read every `slot` seconds. A step is a multiple of a slot. */
export const slotsOf = (start: number, end: number): { readonly slot: number; readonly step: number } => {
  const range = Math.max(1, end - start);
  const slot = Math.max(shortestS, Math.ceil(range / maxSlots));
  return { slot, step: slot * Math.max(1, Math.ceil(range / maxPoints / slot)) };
};
