/** A gateway can lose its clock; its times are accepted within these bounds. */
export const oldest = 90 * 86_400;
const ahead = 300;

export const credible = (t: number, now: number): boolean => t >= now - oldest && t <= now + ahead;

/** The time of the gateway if credible, otherwise the time of arrival. */
export const trueTime = (t: number, now: number): number => (credible(t, now) ? t : now);
