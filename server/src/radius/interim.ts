import type { Grant } from '../domain/radius/grant.ts';
import { hasByteLimit } from '../domain/radius/vendor-profiles.ts';
import type { Nas } from './registry.ts';

/** RFC 2869 5.16: a NAS should not report more often. */
const minS = 60;
/** Rate of a user without a speed limit, in KB/s: 100 Mbit/s. */
const fastest = 12_500;
/** Reports until the limit is reached. */
const reports = 4;

/**
 * Seconds between two reports. A NAS without byte limits reports several times before the limit is reached at full rate, so that the end is
 * predicted.
 */
export const interimOf = ({ vendor, interval_s }: Pick<Nas, 'vendor' | 'interval_s'>, { up, down, bytes }: Grant): number => {
  if (bytes === null || hasByteLimit(vendor)) return interval_s;
  const rate = ((up || fastest) + (down || fastest)) * 1024;
  return Math.min(interval_s, Math.max(minS, Math.floor(bytes / rate / reports)));
};
