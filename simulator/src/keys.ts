/** The device key and its successor. Both are kept until the new one has been accepted. */
export class Keys {
  #key: string | undefined;
  #next: string | undefined;
  readonly #changed: (key: string) => void;

  constructor(key: string | undefined, changed: (key: string) => void) {
    this.#key = key;
    this.#changed = changed;
  }

  get has(): boolean {
    return this.#key !== undefined;
  }

  get next(): string | undefined {
    return this.#next;
  }

  set(key: string) {
    this.#key = key;
    this.#next = undefined;
    this.#changed(key);
  }

  /** The next connection tries this key first. */
  prepare(key: string) {
    this.#next = key;
  }

  clear() {
    this.#next = undefined;
  }

  /** Keys in the order in which they are tried. */
  get all(): readonly string[] {
    return [this.#next, this.#key].filter((key) => key !== undefined);
  }

  /** This key was accepted. The other one was refused or is obsolete. */
  opened(key: string) {
    if (key === this.#next) this.set(key);
    else this.#next = undefined;
  }
}
