import type { Rule } from '../kit/rule.ts';

/** Personal numbers are shown in part; the whole is asked for, and that is written down. */
export const maskPhone = (phone: string): string =>
  phone === '' ? '' : phone.length > 7 ? `${phone.slice(0, 3)}****${phone.slice(-4)}` : `${phone.slice(0, 1)}****`;

/** A mainland number keeps its region and last four; of a shorter one that would be nearly all. */
export const maskIdNumber = (idNumber: string): string =>
  idNumber.length < 15
    ? `${idNumber.slice(0, 1)}****${idNumber.slice(-2)}`
    : `${idNumber.slice(0, 6)}${'*'.repeat(Math.max(4, idNumber.length - 10))}${idNumber.slice(-4)}`;

/** In a form that started from a masked value: left as it was, it stands for the value behind it. */
export const orMasked = (rule: Rule): Rule => ({
  ...rule,
  pattern: undefined,
  test: (value, all, env) => String(value).includes('****') || rule.test(value, all, env),
});
