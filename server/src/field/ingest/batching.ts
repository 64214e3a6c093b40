/** Combines single lookups that arrive together into one call. Each caller gets its own result. */
export const batching = <K, V>(load: (keys: readonly K[]) => Promise<ReadonlyMap<K, V>>, waitMs = 3, maxKeys = 1000) => {
  interface Waiting {
    readonly key: K;
    readonly resolve: (value: V | undefined) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Waiting[] = [];
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = [];
    try {
      const replies = await load([...new Set(batch.map((w) => w.key))]);
      for (const w of batch) w.resolve(replies.get(w.key));
    } catch (error) {
      for (const w of batch) w.reject(error);
    }
  };
  return (key: K): Promise<V | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      if (waiting.length >= maxKeys) void run();
      else timer ??= setTimeout(run, waitMs);
    });
};
