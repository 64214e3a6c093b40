/** Points that a chart or a map can show, samples that are looked at for them, and the shortest interval of sampling. */
const [mostPoints, mostSlots, shortestS] = [500, 4000, 10];

/** `step` seconds make a point, of which one sample every `slot` seconds is read; a step is a whole number of slots. */
export const slotsOf = (start: number, end: number): { readonly slot: number; readonly step: number } => {
  const range = Math.max(1, end - start);
  const slot = Math.max(shortestS, Math.ceil(range / mostSlots));
  return { slot, step: slot * Math.max(1, Math.ceil(range / mostPoints / slot)) };
};
