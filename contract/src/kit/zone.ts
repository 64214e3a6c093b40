/** The one time zone of the business: expiries, bills, cycles and reports are in it, wherever the reader is. */
export const zoneName = 'UTC+8';
export const zoneSeconds = 8 * 3600;
export const zoneMinutes = zoneSeconds / 60;

const daySeconds = 86_400;

/** `YYYY-MM-DD HH:mm:ss` of an epoch second. */
export const zonedTime = (epoch: number): string => new Date((epoch + zoneSeconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** The day that a moment is in, counted from 1970. */
export const dayNumber = (epoch: number): number => Math.floor((epoch + zoneSeconds) / daySeconds);

/** The first second of the day that a moment is in. */
export const dayStart = (epoch: number): number => dayNumber(epoch) * daySeconds - zoneSeconds;

/** The last second of that day. */
export const dayEnd = (epoch: number): number => dayStart(epoch) + daySeconds - 1;
