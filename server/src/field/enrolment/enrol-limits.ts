import type { Pool } from 'pg';
import { addressBlockOf } from '../../kit/http/rate-limit.ts';
import { perWindow } from './per-window.ts';

/** Enrolments of a process, by whichever way they come. */
export interface EnrolLimits {
  /** Whether an address may ask once more. */
  mayAsk(address: string): boolean;
  /** Whether an address may add one more unknown SN, to a VNO or, with a code that is no VNO's, to the platform's list. */
  mayAdd(address: string, agentId: number | undefined): boolean;
}

const hourMs = 3_600_000;
/** A whole yard may be behind one address. */
export const enrolLimits = { asksPerMinute: 300, asksPerHour: 3000, newPerAddress: 500, newPerVno: 300 };

const open = (): EnrolLimits => {
  const asksOfMinute = perWindow(enrolLimits.asksPerMinute, 60_000);
  const asksOfHour = perWindow(enrolLimits.asksPerHour, hourMs);
  const newOfAddress = perWindow(enrolLimits.newPerAddress, hourMs);
  const newOfVno = perWindow(enrolLimits.newPerVno, hourMs);
  return {
    mayAsk: (address) => asksOfMinute(addressBlockOf(address)) && asksOfHour(addressBlockOf(address)),
    mayAdd: (address, agentId) => newOfAddress(addressBlockOf(address)) && (agentId === undefined || newOfVno(String(agentId))),
  };
};

const known = new WeakMap<Pool, EnrolLimits>();
export const enrolLimitsOf = (pool: Pool): EnrolLimits => {
  const limits = known.get(pool) ?? open();
  known.set(pool, limits);
  return limits;
};
