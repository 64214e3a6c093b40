/** Seconds. Older figures are read again; the oldest are not returned. */
const refreshS = 10;
const oldestS = 60;
const maxScopes = 200;

interface Kept<T> {
  readonly value: T;
  readonly readAt: number;
}

interface Reading<T> {
  readonly scope: string;
  readonly now: number;
  readonly read: () => Promise<T>;
  /** A refresh in the background failed. */
  readonly failed?: (error: unknown) => void;
}

/**
 * Keeps the figures of large scopes, because counting a million rows takes longer than a page may. Figures older than ten seconds are read
 * again in the background; after a minute the caller waits for them.
 */
export class KeptFigures<T> {
  readonly #isLarge: (figures: T) => boolean;
  readonly #kept = new Map<string, Kept<T>>();
  readonly #refreshing = new Set<string>();

  constructor(isLarge: (figures: T) => boolean) {
    this.#isLarge = isLarge;
  }

  async get(reading: Reading<T>): Promise<T> {
    const last = this.#kept.get(reading.scope);
    const age = last ? reading.now - last.readAt : Infinity;
    if (!last || age > oldestS) return this.#readNow(reading);
    if (age >= refreshS) void this.#refresh(reading);
    return last.value;
  }

  async #readNow({ scope, now, read }: Reading<T>) {
    const value = await read();
    this.#kept.delete(scope);
    if (this.#isLarge(value)) this.#kept.set(scope, { value, readAt: now });
    for (const oldest of [...this.#kept.keys()].slice(0, -maxScopes)) this.#kept.delete(oldest);
    return value;
  }

  async #refresh(reading: Reading<T>) {
    if (this.#refreshing.has(reading.scope)) return;
    this.#refreshing.add(reading.scope);
    try {
      await this.#readNow(reading);
    } catch (error) {
      reading.failed?.(error);
    } finally {
      this.#refreshing.delete(reading.scope);
    }
  }
}
