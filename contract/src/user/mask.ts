import type { Rule } from '../kit/rule.ts';

/** Personal numbers are masked. Showing the full value is a separate call with an operator-log entry. */
export const maskPhone = (phone: string): string =>
  phone === '' ? '' : phone.length > 7 ? `${phone.slice(0, 3)}****${phone.slice(-4)}` : `${phone.slice(0, 1)}****`;

/** A mainland number keeps its region and last four digits; a shorter one keeps less. */
export const maskIdNumber = (idNumber: string): string =>
  idNumber.length < 15
    ? `${idNumber.slice(0, 1)}****${idNumber.slice(-2)}`
    : `${idNumber.slice(0, 6)}${'*'.repeat(Math.max(4, idNumber.length - 10))}${idNumber.slice(-4)}`;

/** In a form with a masked initial value: an unchanged value means the stored one. */
export const orMasked = (rule: Rule): Rule => ({
  ...rule,
  pattern: undefined,
  test: (value, all, env) => String(value).includes('****') || rule.test(value, all, env),
});
