import { useCallback, useState } from 'react';

/** The width of an element, as it changes; `first` until it is known. */
export const useWidth = (first: number) => {
  const [width, setWidth] = useState(first);
  const ref = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    // What is hidden has no width and keeps the one it had.
    const observer = new ResizeObserver(() => element.clientWidth > 0 && setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
};
