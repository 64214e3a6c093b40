export class FrameError extends Error {
  readonly tooLarge: boolean;
  constructor(tooLarge: boolean) {
    super(tooLarge ? 'packet too large' : 'malformed packet');
    this.tooLarge = tooLarge;
  }
}

/** Cuts a byte stream into whole MQTT packets and refuses a large one by its header, before a byte of it is kept. */
export class Frames {
  /** May be raised once it is known who speaks. */
  max: number;
  #kept: Uint8Array | undefined;

  constructor(max: number) {
    this.max = max;
  }

  /** The packets that are whole now; the rest waits for the next chunk. */
  push(chunk: Uint8Array): Uint8Array[] {
    let bytes = chunk;
    if (this.#kept) {
      bytes = new Uint8Array(this.#kept.length + chunk.length);
      bytes.set(this.#kept);
      bytes.set(chunk, this.#kept.length);
    }
    const frames: Uint8Array[] = [];
    let at = 0;
    for (;;) {
      const end = this.#endOf(bytes, at);
      if (end === undefined || end > bytes.length) break;
      frames.push(bytes.subarray(at, end));
      at = end;
    }
    // A copy: what waits must not hold the large chunk that it came in.
    this.#kept = at < bytes.length ? bytes.slice(at) : undefined;
    return frames;
  }

  #endOf(bytes: Uint8Array, at: number): number | undefined {
    let length = 0;
    for (let i = 1; i <= 4; i++) {
      const byte = bytes[at + i];
      if (byte === undefined) return undefined;
      length += (byte & 0x7f) * 128 ** (i - 1);
      if (byte < 0x80) {
        if (length > this.max) throw new FrameError(true);
        return at + 1 + i + length;
      }
    }
    throw new FrameError(false);
  }
}
