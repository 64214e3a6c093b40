/** A gateway may have lost its clock; what it says is believed within these bounds. */
export const oldest = 90 * 86_400;
const ahead = 300;

export const credible = (t: number, now: number): boolean => t >= now - oldest && t <= now + ahead;

/** The time as far as it can be known: the gateway's own, or that of arrival. */
export const trueTime = (t: number, now: number): number => (credible(t, now) ? t : now);
