/** What an operator can mend before the next start: its message is one sentence for the console, without a stack trace. */
export class StartError extends Error {}

/** The plain reason inside whatever was thrown, fit to stand at the end of a sentence. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
};
