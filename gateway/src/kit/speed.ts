import { kilobits } from '@farlink/contract/kit/units.ts';
import type { JsonObject } from '../protocol/shape.ts';

/** Speeds of packages and temporary release are KB/s in the tables and kbit/s at the gateway; 0 is unlimited in both. */
export const kbitsOf = (kilobytes: number): number => kilobytes * kilobits;
/** Fractions are rounded up, because a small limit must not become 0 (unlimited). */
export const kilobytesOf = (rate: number): number => Math.ceil(rate / kilobits);

/** The temporary-release rule of the console. */
export interface ReleaseRule {
  /** Seconds, except the count. */
  readonly pass_time: number;
  readonly pass_count: number;
  readonly lock_time: number;
  readonly refresh_time: number;
  readonly limit_up: number;
  readonly limit_down: number;
}

/** Converts the rule to section `auth_temp_release`. */
export const releaseSection = ({ limit_up, limit_down, ...rule }: ReleaseRule): JsonObject => ({
  ...{ enabled: true, ...rule, limit_up: kbitsOf(limit_up), limit_down: kbitsOf(limit_down) },
  block_on_lband: true,
});
