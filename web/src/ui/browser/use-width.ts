import { useCallback, useState } from 'react';

/** The width of an element; `first` until it is measured. */
export const useWidth = (first: number) => {
  const [width, setWidth] = useState(first);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    // A hidden element has no width and keeps its last one.
    const measure = () => element.clientWidth > 0 && setWidth(element.clientWidth);
    // Before the first frame, so that a phone never sees content of the first width.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
};
