/** Rate limit: at most `limit` calls per name and time window. */
export const perWindow = (limit: number, windowMs: number, now: () => number = () => performance.now()) => {
  const counts = new Map<string, number>();
  let began = now();
  return (name: string): boolean => {
    if (now() - began >= windowMs) {
      counts.clear();
      began = now();
    }
    const n = (counts.get(name) ?? 0) + 1;
    counts.set(name, n);
    return n <= limit;
  };
};
