/** `npm run soak` sets SOAK: random and fault tests run at full length. `npm test` runs a short form of each. */
export const isSoak = process.env.SOAK === '1';

export const runs = (soak: number, short: number) => (isSoak ? soak : short);
