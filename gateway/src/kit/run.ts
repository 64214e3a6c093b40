import type { JsonObject } from '../protocol/shape.ts';

/** Deeds that move many bytes over the link in use, by their page; the others only tell what they find. */
const heavy: Readonly<Record<string, (args: JsonObject) => boolean>> = {
  ac_ap_upgrade: () => true,
  advanced_backup: ({ operation, to_platform }) => operation === 'restore' || (operation === 'backup' && to_platform === true),
  advanced_upgrade: ({ source }) => source !== 'rollback',
  diagnosis_log_collect: () => true,
  diagnosis_speed_test: () => true,
  diagnosis_tcpdump: () => true,
};

/** Must this deed keep off links that are billed by volume? Whoever runs it may have consented to it. */
export const isHeavyRun = (page: string, args: JsonObject): boolean =>
  args.allow_lband !== true && (Object.hasOwn(heavy, page) ? heavy[page] : undefined)?.(args) === true;

/** How a page is read: as often as the link in use allows. */
export interface ReadPace {
  /** Seconds between two readings, and for how long. */
  readonly every: number;
  readonly secs: number;
  /** Rows of one reading. */
  readonly limit: number;
}
export const usualPace: ReadPace = { every: 3, secs: 60, limit: 200 };
/** Where each byte is billed. */
export const sparingPace: ReadPace = { every: 60, secs: 60, limit: 20 };

/** The longest that one reading or one piece of output may be, so that it fits into one message with all around it. */
export const readingBytes = 48_000;
export const outputBytes = 8_000;
