/** Seeded (mulberry32): the same ship has the same day in every run. */
export const randomOf = (seed: number) => {
  let a = seed | 0;
  const next = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const between = (min: number, max: number) => min + next() * (max - min);
  const int = (min: number, max: number) => Math.floor(between(min, max + 1));
  const pick = <T>(from: readonly [T, ...T[]]): T => from[int(0, from.length - 1)] ?? from[0];
  return { next, between, int, pick, chance: (p: number) => next() < p };
};

export type Random = ReturnType<typeof randomOf>;

/** FNV-1a: a seed from a name. */
export const seedOf = (name: string, seed: number): number => {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h;
};
