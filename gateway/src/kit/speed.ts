import { kilobits } from '@farlink/contract/kit/units.ts';
import type { JsonObject } from '../protocol/shape.ts';
import { type TempReleaseRule, tempReleasesPerGateway } from '../protocol/temp-release.ts';

/** Speeds of packages and temporary release are KB/s in the tables and kbit/s at the gateway; 0 is unlimited in both. */
export const kbitsOf = (kilobytes: number): number => kilobytes * kilobits;
/** Fractions are rounded up, because a small limit must not become 0 (unlimited). */
export const kilobytesOf = (rate: number): number => Math.ceil(rate / kilobits);

const numberOf = (doc: JsonObject, field: string): number => Number(doc[field] ?? 0);

/** Section `auth_temp_release` of the gateway as a rule with the id 0. Undefined: switched off. */
export const localTempReleaseRule = (doc: JsonObject): TempReleaseRule | undefined =>
  doc.enabled === true
    ? {
        id: 0,
        t: numberOf(doc, 'pass_time'),
        n: numberOf(doc, 'pass_count'),
        lock: numberOf(doc, 'lock_time'),
        refresh: numberOf(doc, 'refresh_time'),
        up: kilobytesOf(numberOf(doc, 'limit_up')),
        down: kilobytesOf(numberOf(doc, 'limit_down')),
        max: tempReleasesPerGateway.max,
      }
    : undefined;
