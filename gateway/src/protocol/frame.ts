export class FrameError extends Error {
  readonly tooLarge: boolean;
  constructor(tooLarge: boolean) {
    super(tooLarge ? 'packet too large' : 'malformed packet');
    this.tooLarge = tooLarge;
  }
}

/** Splits a byte stream into complete MQTT packets. An oversized packet is refused by its header, before its body is buffered. */
export class Frames {
  /** Can be raised after authentication. */
  max: number;
  #rest: Uint8Array | undefined;

  constructor(max: number) {
    this.max = max;
  }

  /** Returns the complete packets; the rest waits for the next chunk. */
  push(chunk: Uint8Array): Uint8Array[] {
    let bytes = chunk;
    if (this.#rest) {
      bytes = new Uint8Array(this.#rest.length + chunk.length);
      bytes.set(this.#rest);
      bytes.set(chunk, this.#rest.length);
    }
    const frames: Uint8Array[] = [];
    let at = 0;
    for (;;) {
      const end = this.#endOf(bytes, at);
      if (end === undefined || end > bytes.length) break;
      frames.push(bytes.subarray(at, end));
      at = end;
    }
    // A copy, so that the rest does not keep the large chunk in memory.
    this.#rest = at < bytes.length ? bytes.slice(at) : undefined;
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
