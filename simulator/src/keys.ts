/** The device key, and the one that shall take its place: both are kept until the new one has opened the door. */
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

  /** Tried first from now on. */
  prepare(key: string) {
    this.#next = key;
  }

  clear() {
    this.#next = undefined;
  }

  /** In the order in which they are tried. */
  get all(): readonly string[] {
    return [this.#next, this.#key].filter((key) => key !== undefined);
  }

  /** This one opened the door. The other was refused or is not needed any more. */
  opened(key: string) {
    if (key === this.#next) this.set(key);
    else this.#next = undefined;
  }
}
