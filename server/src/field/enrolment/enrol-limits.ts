import type { Pool } from 'pg';
import { addressBlockOf } from '../../kit/http/rate-limit.ts';
import { perWindow } from './per-window.ts';

/** Enrolment limits of a process, shared by MQTT and HTTP. */
export interface EnrolLimits {
  /** Returns true if the address may send one more request. */
  mayAsk(address: string): boolean;
  /** Returns true if the address may add one more unknown SN to a VNO, or to the platform list if the merchant code is invalid. */
  mayAdd(address: string, agentId: number | undefined): boolean;
}

const hourMs = 3_600_000;
/** A whole shipyard may share one address. */
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
