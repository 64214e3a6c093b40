/** The account that a prefix makes of what was typed; a prefix that is already there is not repeated. */
export const withPrefix = (prefix: string, typed: string): string =>
  typed.toLowerCase().startsWith(prefix.toLowerCase()) ? typed : prefix + typed;
