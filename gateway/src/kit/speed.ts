import { kilobits } from '@farlink/contract/kit/units.ts';
import type { JsonObject } from '../protocol/shape.ts';

/** Speeds of packages and of temporary release are KB/s in the tables, kilobits a second at the gateway; 0 is unlimited on both. */
export const kbitsOf = (kilobytes: number): number => kilobytes * kilobits;
/** What is not whole is rounded up: a limit of a few bits must not become unlimited. */
export const kilobytesOf = (rate: number): number => Math.ceil(rate / kilobits);

/** The rule of temporary release as the console has it. */
export interface ReleaseRule {
  /** Seconds, but for the count. */
  readonly pass_time: number;
  readonly pass_count: number;
  readonly lock_time: number;
  readonly refresh_time: number;
  readonly limit_up: number;
  readonly limit_down: number;
}

/** The same as section `auth_temp_release`. */
export const releaseSection = ({ limit_up, limit_down, ...rule }: ReleaseRule): JsonObject => ({
  ...{ enabled: true, ...rule, limit_up: kbitsOf(limit_up), limit_down: kbitsOf(limit_down) },
  block_on_lband: true,
});
