/** Kinds of changes by id. */
export type Changes<Kind> = ReadonlyMap<number, ReadonlySet<Kind>>;

/** Changes are collected for 200 ms and sent at most once a second. */
const gatherMs = 200;
const everyMs = 1000;

/** Collects changes and sends them in batches, one at a time. */
export class ChangeQueue<Kind> {
  readonly #send: (changes: Changes<Kind>) => Promise<void>;
  readonly #failed: (error: unknown) => void;
  #changes = new Map<number, Set<Kind>>();
  #timer: NodeJS.Timeout | undefined;
  #lastSent = Number.NEGATIVE_INFINITY;
  #isSending = false;
  #isClosed = false;

  constructor(send: (changes: Changes<Kind>) => Promise<void>, failed: (error: unknown) => void) {
    this.#send = send;
    this.#failed = failed;
  }

  add(ids: Iterable<number>, kinds: readonly Kind[]) {
    for (const id of ids) this.#changes.set(id, new Set([...(this.#changes.get(id) ?? []), ...kinds]));
    this.#sendSoon();
  }

  close() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #sendSoon() {
    if (this.#isSending || this.#isClosed) return;
    const waitMs = Math.max(gatherMs, everyMs - (performance.now() - this.#lastSent));
    this.#timer ??= setTimeout(() => void this.#sendNow(), waitMs).unref();
  }

  async #sendNow() {
    this.#timer = undefined;
    this.#lastSent = performance.now();
    const changes = this.#changes;
    this.#changes = new Map();
    this.#isSending = true;
    try {
      await this.#send(changes);
    } catch (error) {
      this.#failed(error);
    } finally {
      this.#isSending = false;
      if (this.#changes.size > 0) this.#sendSoon();
    }
  }
}
