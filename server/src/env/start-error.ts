/** A fault that the operator can fix before the next start. Its message is one sentence, without a stack trace. */
export class StartError extends Error {}

/** Reason of an error as text, usable at the end of a sentence. */
export const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
};
