/** RFC 5080: a repeated request within this time gets the same reply. */
const keptMs = 30_000;
/** About 20 MB of replies. */
const maxEntries = 100_000;

interface Entry {
  readonly at: number;
  /** Undefined while the request is processed. */
  reply?: Buffer;
}

/** Replies of the last 30 seconds. The key has no source address: a repetition may come through another NAT port. */
export const openReplyCache = (nowMs: () => number = () => performance.now()) => {
  const entries = new Map<string, Entry>();
  const forgetOld = () => {
    for (const [key, { at }] of entries) {
      if (entries.size <= maxEntries && nowMs() - at < keptMs) return;
      entries.delete(key);
    }
  };
  return {
    /** True if the request is new. */
    begin: (key: string): boolean => {
      forgetOld();
      if (entries.has(key)) return false;
      entries.set(key, { at: nowMs() });
      return true;
    },
    replyOf: (key: string) => entries.get(key)?.reply,
    complete: (key: string, reply: Buffer) => {
      const entry = entries.get(key);
      if (entry) entry.reply = reply;
    },
    /** The request was not processed, so its repetition must be. */
    forget: (key: string) => {
      entries.delete(key);
    },
    size: () => entries.size,
  };
};

export type ReplyCache = ReturnType<typeof openReplyCache>;
