import { useState } from 'react';

/** Keeps the first value until renewed, so a reload of the record does not overwrite the input. */
export const useInitial = <T>(value: T | undefined) => {
  const [first, setFirst] = useState<T>();
  if (first === undefined && value !== undefined) setFirst(value);
  return { first: first ?? value, renew: () => setFirst(undefined) };
};
