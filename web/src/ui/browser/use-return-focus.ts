import { useEffect, useState } from 'react';

/** On unmount the focus returns to the element that had it before. */
export const useReturnFocus = () => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
};
