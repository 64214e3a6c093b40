import { limits } from '@farlink/contract/limits.ts';

/** `crypto.randomUUID` needs HTTPS; ships often use plain HTTP. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const unanswered = new Map<string, { readonly key: string; readonly at: number }>();

/**
 * Keys of writes without a form. A write without a response keeps its key for a short time, so the same click again is the same attempt.
 */
export const retryKey = (request: string, now = Date.now()): string => {
  const known = unanswered.get(request);
  const key = known && now - known.at < limits.retryMs ? known.key : newKey();
  unanswered.set(request, { key, at: now });
  return key;
};

export const clearRetryKey = (request: string): void => void unanswered.delete(request);
