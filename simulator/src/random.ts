import { Random } from '@farlink/contract/kit/random.ts';

/** FNV-1a hash of a name. */
export const seedOf = (name: string, seed: number): number => {
  let h = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i++) h = Math.imul(h ^ name.charCodeAt(i), 0x01000193);
  return h;
};

/** A separate random stream for each module, so the reads of one do not affect another. */
export const forkOf = (name: string, stream: string, seed: number): Random => new Random(seedOf(`${name} ${stream}`, seed));
