import { hash as hashAtCost } from '@node-rs/argon2/index.js';

export { verify } from '@node-rs/argon2/index.js';

/** Replaces the library in module tests: the same algorithm and format at the lowest cost. */
export const hash = (password: string) => hashAtCost(password, { memoryCost: 64, timeCost: 1 });
