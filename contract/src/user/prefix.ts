/** Adds a prefix to the entered account, unless it is already there. */
export const withPrefix = (prefix: string, typed: string): string =>
  typed.toLowerCase().startsWith(prefix.toLowerCase()) ? typed : prefix + typed;
