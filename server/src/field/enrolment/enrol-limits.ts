import type { Pool } from 'pg';
import type { Db } from '../../kit/deps.ts';
import { addressBlockOf, countCall } from '../../kit/http/rate-limit.ts';
import { perWindow } from './per-window.ts';

/** Enrolment limits, shared by MQTT and HTTP. Requests are counted by each process, new serial numbers by all of them together. */
export interface EnrolLimits {
  /** Returns true if the address may send one more request. */
  mayRequest(address: string): boolean;
  /** Returns true if the address may add one more unknown SN to a VNO, or to the platform list if the merchant code is invalid. */
  mayAdd(db: Db, address: string, vno: { readonly id: number; readonly waiting: number } | undefined, now: number): Promise<boolean>;
}

const hourS = 3600;
const hourMs = 3_600_000;
/**
 * A whole shipyard may share one address. Merchant codes are not secret, so each address has a share of its own at a VNO: strangers can use
 * up only what all addresses share above it.
 */
export const enrolLimits = {
  requestsPerMinute: 300,
  requestsPerHour: 3000,
  newPerAddress: 500,
  sharePerAddress: 20,
  newPerVno: 300,
  /** Waiting devices of a VNO above which only the own shares are left, and above which nothing is. */
  waiting: 500,
  mostWaiting: 5000,
};

const open = (): EnrolLimits => {
  const requestsOfMinute = perWindow(enrolLimits.requestsPerMinute, 60_000);
  const requestsOfHour = perWindow(enrolLimits.requestsPerHour, hourMs);
  const newOfAddress = perWindow(enrolLimits.newPerAddress, hourMs);
  const newOfVno = perWindow(enrolLimits.newPerVno, hourMs);
  return {
    mayRequest: (address) => requestsOfMinute(addressBlockOf(address)) && requestsOfHour(addressBlockOf(address)),
    // Runs in the transaction of the new row, so that refused rows are not counted.
    mayAdd: async (db, address, vno, now) => {
      const block = addressBlockOf(address);
      if (!newOfAddress(block) || (await countCall(db, `enrol ${block}`, hourS, now)) > enrolLimits.newPerAddress) return false;
      if (!vno) return true;
      if (vno.waiting >= enrolLimits.mostWaiting) return false;
      const own = await countCall(db, `enrol vno ${vno.id} ${block}`, hourS, now);
      if (own <= enrolLimits.sharePerAddress) return true;
      if (vno.waiting >= enrolLimits.waiting || !newOfVno(String(vno.id))) return false;
      return (await countCall(db, `enrol vno ${vno.id}`, hourS, now)) <= enrolLimits.newPerVno;
    },
  };
};

const limitsByPool = new WeakMap<Pool, EnrolLimits>();
export const enrolLimitsOf = (pool: Pool): EnrolLimits => {
  const limits = limitsByPool.get(pool) ?? open();
  limitsByPool.set(pool, limits);
  return limits;
};
