/** The first page, the last one, and those around the current page; at most five (spec §9). */
export const pageNumbers = (current: number, last: number): number[] => {
  if (last <= 5) return Array.from({ length: last }, (_, i) => i + 1);
  const middle = Math.min(Math.max(current, 2), last - 1);
  return [...new Set([1, middle - 1, middle, middle + 1, last])];
};
