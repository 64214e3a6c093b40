/** `npm run soak` sets SOAK: random and fault tests run at full length. */
export const isSoak = process.env.SOAK === '1';

/** `npm test -- --all` sets TEST_ALL. */
const isAll = isSoak || process.env.TEST_ALL === '1';

/** How often or how large: in `npm run soak`, in `npm test -- --all`, and in `npm test`. */
export const runs = (soak: number, all: number, quick = all) => {
  if (isSoak) return soak;
  return isAll ? all : quick;
};
