/** RFC 5080: a repeated request within this time gets the same reply. */
const keptMs = 30_000;
/** About 20 MB of replies, in both generations. */
const perGeneration = 50_000;

type Replies = Map<string, Buffer | undefined>;

/**
 * Replies of the last 30 to 60 seconds, in two generations: the older one is dropped whole, because deleting each reply by its age costs
 * more than the rest of a request. The key has no source address: a repetition may come through another NAT port.
 */
export const openReplyCache = (nowMs: () => number = () => performance.now()) => {
  let newer: Replies = new Map();
  let older: Replies = new Map();
  let began = nowMs();
  const forgetOld = () => {
    const age = nowMs() - began;
    if (age < keptMs && newer.size < perGeneration) return;
    older = age < 2 * keptMs ? newer : new Map();
    newer = new Map();
    began = nowMs();
  };
  return {
    /** True if the request is new. */
    begin: (key: string): boolean => {
      forgetOld();
      if (newer.has(key) || older.has(key)) return false;
      // Undefined while the request is processed.
      newer.set(key, undefined);
      return true;
    },
    replyOf: (key: string) => newer.get(key) ?? older.get(key),
    complete: (key: string, reply: Buffer) => {
      if (newer.has(key)) newer.set(key, reply);
      else if (older.has(key)) older.set(key, reply);
    },
    /** The request was not processed, so its repetition must be. */
    forget: (key: string) => {
      newer.delete(key);
      older.delete(key);
    },
    size: () => newer.size + older.size,
  };
};

export type ReplyCache = ReturnType<typeof openReplyCache>;
