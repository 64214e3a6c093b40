const minuteMs = 60_000;

/** So many a minute from one address, and no more. */
export const perMinute = (most: number, now: () => number = () => performance.now()) => {
  const counts = new Map<string, number>();
  let began = now();
  return (address: string): boolean => {
    if (now() - began >= minuteMs) {
      counts.clear();
      began = now();
    }
    const n = (counts.get(address) ?? 0) + 1;
    counts.set(address, n);
    return n <= most;
  };
};

/** Strangers who ask to be bound: a whole yard may be behind one address. */
export const enrolmentsPerMinute = 3000;
