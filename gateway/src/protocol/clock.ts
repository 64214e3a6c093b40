/** A gateway can lose its clock; its times are accepted within these bounds. */
export const maxAge = 90 * 86_400;
const maxAhead = 300;

export const isPlausible = (t: number, now: number): boolean => t >= now - maxAge && t <= now + maxAhead;

/** The time of the gateway if plausible, otherwise the time of arrival. */
export const plausibleTime = (t: number, now: number): number => (isPlausible(t, now) ? t : now);
