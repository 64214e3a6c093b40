import { dayNumber, zonedTime, zoneSeconds } from '@farlink/contract/kit/zone.ts';

/** Traffic of a device on a day, by source. */
export interface DayBytes {
  readonly link_bytes: number;
  readonly user_bytes: number;
  readonly own_bytes: number;
  readonly charged_bytes: number;
  readonly overrun_bytes: number;
}

/** Differences up to this share of the link traffic, or up to this many bytes, are normal. */
const share = 50;
const minBytes = 10 * 1024 ** 2;
/** Reports of the last minutes of a day arrive in the next one. */
const lateS = 3600;

/** Compares the sources: links with users and gateway, users with charges. */
export const trafficDifference = ({ link_bytes, user_bytes, own_bytes, charged_bytes, overrun_bytes }: DayBytes) => {
  const unattributed = link_bytes - own_bytes - user_bytes;
  const uncharged = user_bytes - charged_bytes - overrun_bytes;
  const allowed = Math.max(Math.floor(link_bytes / share), minBytes);
  return { unattributed, uncharged, allowed, is_odd: Math.max(Math.abs(unattributed), Math.abs(uncharged)) > allowed };
};

/** Days before this one are complete. */
export const firstOpenDay = (now: number): number => dayNumber(now - lateS);

/** `YYYY-MM-DD` of a day number. */
export const dayText = (day: number): string => zonedTime(day * 86_400 - zoneSeconds).slice(0, 10);
