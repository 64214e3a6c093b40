import { type UIEvent, useState } from 'react';

const step = 20;
const overscan = 20;

export interface Window {
  readonly first: number;
  readonly last: number;
  readonly above: number;
  readonly below: number;
  readonly onScroll: (e: UIEvent<HTMLElement>) => void;
}

/** Range of rows near the visible area, for many rows of equal height. It moves in steps, so scrolling renders seldom. */
export const useWindow = (count: number, height: number, visibleCount = 40): Window => {
  const [at, setAt] = useState(0);
  const from = Math.min(at, Math.max(0, count - visibleCount));
  const first = Math.max(0, from - overscan);
  const last = Math.min(count, from + visibleCount + overscan);
  return {
    first,
    last,
    above: first * height,
    below: (count - last) * height,
    onScroll: (e) => {
      const next = Math.floor(e.currentTarget.scrollTop / height / step) * step;
      if (next !== at) setAt(next);
    },
  };
};
