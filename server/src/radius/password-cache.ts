import { open } from '../kit/session/secret.ts';

/** decisions: an opened password stays in memory for at most ten minutes. */
const keptMs = 10 * 60_000;
const maxEntries = 50_000;

/** Opened passwords by their sealed text. A changed password has another sealed text, so the old one is not used again. */
export const openPasswordCache = (secretKey: Buffer, nowMs: () => number = () => performance.now()) => {
  const opened = new Map<string, { readonly password: string; readonly at: number }>();
  const sweep = () => {
    for (const [sealed, { at }] of opened) {
      if (nowMs() - at < keptMs && opened.size <= maxEntries) return;
      opened.delete(sealed);
    }
  };
  return {
    /** Undefined for a text that was not sealed with this key. */
    passwordOf: (sealed: string): string | undefined => {
      sweep();
      const known = opened.get(sealed);
      if (known) return known.password;
      try {
        const password = open(secretKey, sealed);
        opened.set(sealed, { password, at: nowMs() });
        return password;
      } catch {
        return undefined;
      }
    },
    /** Removes values that are too old, also when no request comes. */
    sweep,
    size: () => opened.size,
  };
};

export type PasswordCache = ReturnType<typeof openPasswordCache>;
