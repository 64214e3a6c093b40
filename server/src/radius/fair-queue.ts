/** Tokens per second of one client, and the largest burst. */
interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Token buckets by key. Full buckets are forgotten, so a flood of forged addresses does not fill the memory. */
export const openBuckets = ({ perSecond, burst }: Rate, nowMs: () => number = () => performance.now()) => {
  const buckets = new Map<string | number, { tokens: number; at: number }>();
  return (key: string | number): boolean => {
    const now = nowMs();
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * perSecond);
    bucket.at = now;
    buckets.delete(key);
    if (buckets.size > 10_000) for (const [oldest] of buckets) if (buckets.delete(oldest)) break;
    buckets.set(key, bucket);
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
};

export interface QueueOptions<T> {
  /** Largest number of waiting requests of one client, and of all. */
  readonly perClient: number;
  readonly inTotal: number;
  /** Requests of one batch, and batches at a time. */
  readonly batch: number;
  readonly workers: number;
  /** A request that waited longer is dropped: its client has repeated it. */
  readonly maxWaitMs: number;
  /** A batch that is not full waits this long for more requests: one transaction for several costs less. */
  readonly lingerMs: number;
  work(items: readonly T[]): Promise<void>;
  drop(item: T): void;
}

/** The usual size of a batch follows a falling load in about ten batches. */
const forgetting = 0.95;

/** Requests by client, taken in turn, so that a client with many requests delays only its own. */
export const openFairQueue = <T>({ perClient, inTotal, batch, workers, maxWaitMs, lingerMs, work, drop }: QueueOptions<T>) => {
  const waiting = new Map<number, { readonly item: T; readonly at: number }[]>();
  let size = 0;
  let running = 0;
  const idle: (() => void)[] = [];
  /** Requests that usually wait: clients that keep a number of requests outstanding send them again after the replies. */
  let usual = 0;
  let endLinger: (() => void) | undefined;

  const enough = () => Math.max(usual, 2);
  /** Waits for more requests, until as many wait as usual. */
  const linger = () =>
    new Promise<void>((done) => {
      const timer = setTimeout(done, lingerMs);
      endLinger = () => {
        clearTimeout(timer);
        done();
      };
    });

  const takeBatch = (): T[] => {
    const batched: T[] = [];
    for (const [client, items] of waiting) {
      // A client that was served goes to the end; iteration of a map reaches it again there.
      waiting.delete(client);
      const first = items.shift();
      if (items.length > 0) waiting.set(client, items);
      if (!first) continue;
      size -= 1;
      if (performance.now() - first.at > maxWaitMs) drop(first.item);
      else batched.push(first.item);
      if (batched.length === batch) break;
    }
    return batched;
  };
  const run = async () => {
    while (size > 0) {
      if (size < Math.min(batch, enough())) await linger();
      const items = takeBatch();
      usual = Math.max(items.length, usual * forgetting);
      if (items.length > 0) await work(items);
    }
    running -= 1;
    if (running === 0) for (const done of idle.splice(0)) done();
  };
  return {
    /** False if the queue is full. */
    add: (client: number, item: T): boolean => {
      const items = waiting.get(client) ?? [];
      if (items.length >= perClient || size >= inTotal) return false;
      items.push({ item, at: performance.now() });
      waiting.set(client, items);
      size += 1;
      if (size >= enough()) endLinger?.();
      // Another worker starts only when the running ones have full batches.
      if (running === 0 || (running < workers && size >= batch)) {
        running += 1;
        void run();
      }
      return true;
    },
    size: () => size,
    /** Resolves when all work has ended. */
    drained: () => (running === 0 ? Promise.resolve() : new Promise<void>((done) => idle.push(done))),
  };
};
