import { int } from './shape.ts';

/** Seconds since 1970. */
export const epoch = int(0, 99_999_999_999);
