/** Seeded generator (mulberry32): a ship behaves the same in every run. */
export class Random {
  #a: number;

  constructor(seed: number) {
    this.#a = seed | 0;
  }

  next(): number {
    this.#a = (this.#a + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#a ^ (this.#a >>> 15), 1 | this.#a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(min: number, max: number): number {
    return min + this.next() * (max - min);
  }

  int(min: number, max: number): number {
    return Math.floor(this.between(min, max + 1));
  }

  pick<const L extends readonly [unknown, ...unknown[]]>(from: L): L[number] {
    return from[this.int(0, from.length - 1)] ?? from[0];
  }

  chance(p: number): boolean {
    return this.next() < p;
  }
}

/** FNV-1a hash of a name. */
export const seedOf = (name: string, seed: number): number => {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h;
};

/** A separate random stream for each module, so the reads of one do not affect another. */
export const forkOf = (name: string, stream: string, seed: number): Random => new Random(seedOf(`${name} ${stream}`, seed));
