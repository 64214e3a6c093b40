/** The business time zone: expiries, bills, cycles and reports use it everywhere. */
export const zoneName = 'UTC+8';
export const zoneSeconds = 8 * 3600;
export const zoneMinutes = zoneSeconds / 60;

const daySeconds = 86_400;

/** Formats epoch seconds as `YYYY-MM-DD HH:mm:ss`. */
export const zonedTime = (epoch: number): string => new Date((epoch + zoneSeconds) * 1000).toISOString().slice(0, 19).replace('T', ' ');

/** Day number since 1970. */
export const dayNumber = (epoch: number): number => Math.floor((epoch + zoneSeconds) / daySeconds);

/** The first second of the day. */
export const dayStart = (epoch: number): number => dayNumber(epoch) * daySeconds - zoneSeconds;

/** The last second of the day. */
export const dayEnd = (epoch: number): number => dayStart(epoch) + daySeconds - 1;

/** The first second of the month, or of the month `offset` months later. */
export const monthStart = (epoch: number, offset = 0): number => {
  const local = new Date((epoch + zoneSeconds) * 1000);
  return Date.UTC(local.getUTCFullYear(), local.getUTCMonth() + offset, 1) / 1000 - zoneSeconds;
};
