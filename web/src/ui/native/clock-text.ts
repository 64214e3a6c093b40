const clockLike = /^([01]?\d|2[0-3])[:：.]?([0-5]\d)$/;

/** `830`, `8.30` and `8：30` become 08:30; other input stays as it is. */
export const clockText = (typed: string): string => {
  const found = clockLike.exec(typed.trim());
  return found ? `${found[1]?.padStart(2, '0')}:${found[2]}` : typed.trim();
};

/** Adds minutes to a time of day, modulo 24 hours. */
export const clockPlus = (clock: string, minutes: number): string => {
  const found = /^(\d\d):(\d\d)$/.exec(clock);
  if (!found) return clock;
  const at = (Number(found[1]) * 60 + Number(found[2]) + minutes + 1440) % 1440;
  return `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`;
};
