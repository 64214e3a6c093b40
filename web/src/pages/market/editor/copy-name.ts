import { lengthOf } from '@farlink/contract/kit/text.ts';

/** Limit of a portal name. */
const longest = 15;

/** Name of a copy: the start of the name and the time, because portal names are unique. */
export const copyName = (name: string, now: number): string => {
  const end = Math.floor(now / 1000)
    .toString(36)
    .slice(-5);
  return `${[...name].slice(0, longest - lengthOf(end)).join('')}${end}`;
};
