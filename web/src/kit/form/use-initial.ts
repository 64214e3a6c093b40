import { useState } from 'react';

/** The first value that comes, kept until renewed: a form is not filled anew, over what was typed, because its record was read again. */
export const useInitial = <T>(value: T | undefined) => {
  const [first, setFirst] = useState<T>();
  if (first === undefined && value !== undefined) setFirst(value);
  return { first: first ?? value, renew: () => setFirst(undefined) };
};
