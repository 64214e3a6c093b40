import { useEffect, useState } from 'react';

/** When this goes, the focus returns to where it was before: to the button that opened it. */
export const useReturnFocus = () => {
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (before instanceof HTMLElement) before.focus();
    },
    [before],
  );
};
