import type { JsonObject } from '../protocol/shape.ts';

/** Action pages that transfer many bytes over the link in use; others only return results. */
const heavy: Readonly<Record<string, (args: JsonObject) => boolean>> = {
  ac_ap_upgrade: () => true,
  advanced_backup: ({ operation, to_platform }) => operation === 'restore' || (operation === 'backup' && to_platform === true),
  advanced_upgrade: ({ source }) => source !== 'rollback',
  diagnosis_log_collect: () => true,
  diagnosis_speed_test: () => true,
  diagnosis_tcpdump: () => true,
};

/** Whether this run must avoid links billed by volume; the operator can allow them. */
export const isHeavyRun = (page: string, args: JsonObject): boolean =>
  args.allow_lband !== true && (Object.hasOwn(heavy, page) ? heavy[page] : undefined)?.(args) === true;

/** Rate at which a page is read; it depends on the link in use. */
export interface ReadRate {
  /** Seconds between two readings, and total duration. */
  readonly every: number;
  readonly secs: number;
  /** Rows per reading. */
  readonly limit: number;
}
export const defaultReadRate: ReadRate = { every: 3, secs: 60, limit: 200 };
/** For links billed by volume. */
export const meteredReadRate: ReadRate = { every: 60, secs: 60, limit: 20 };

/** Size limit of one reading or one chunk of output, so that it fits into one message. */
export const readingBytes = 48_000;
export const outputBytes = 8_000;
