import type { BillSum } from '@farlink/contract/finance/bill.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { zonedTime, zoneSeconds } from '@farlink/contract/kit/zone.ts';

const day = 86_400;
/** The accounting day in the business time zone. */
export const dayOf = (at: number) => zonedTime(at).slice(0, 10);

/** Every day of a range, including days without income. */
export const everyDay = (days: readonly BillSum[], start: number, end: number): BillSum[] => {
  const known = new Map(days.map((d) => [d.label, d]));
  const first = Math.floor((start + zoneSeconds) / day);
  const count = Math.floor((end + zoneSeconds) / day) - first + 1;
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const label = dayOf((first + i) * day - zoneSeconds);
    return known.get(label) ?? { label, income: '0.00', net_income: '0.00' };
  });
};

export const totalOf = (sums: readonly BillSum[], column: 'income' | 'net_income'): bigint =>
  sums.reduce((total, s) => total + cents(s[column]), 0n);
