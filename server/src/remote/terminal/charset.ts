export type Encoding = 'utf8' | 'gbk' | 'latin1';

const labels = { utf8: 'utf-8', gbk: 'gbk', latin1: 'latin1' } as const;

/** Two bytes of GBK for each character that it has, read off the decoder that the platform brings. */
const gbkTable = (): Map<string, readonly [number, number]> => {
  const decoder = new TextDecoder('gbk');
  const table = new Map<string, readonly [number, number]>();
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) {
      const char = decoder.decode(new Uint8Array([lead, trail]));
      if ([...char].length === 1 && char !== '\ufffd') table.set(char, [lead, trail]);
    }
  return table;
};
let gbk: ReturnType<typeof gbkTable> | undefined;

const unknown = 63;

const bytesOf = (encoding: 'gbk' | 'latin1', char: string): readonly number[] => {
  const code = char.codePointAt(0) ?? unknown;
  if (code < 0x80) return [code];
  if (encoding === 'latin1') return [code < 0x100 ? code : unknown];
  gbk ??= gbkTable();
  return gbk.get(char) ?? [unknown];
};

/** A device that does not speak UTF-8: its screen and our keys are put into other bytes on the way. */
export class Charset {
  readonly #encoding: Encoding;
  readonly #screen;
  readonly #keys = new TextDecoder();

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.#screen = new TextDecoder(labels[encoding]);
  }

  /** Characters may be cut in two by the wire. */
  shown(bytes: Buffer): Buffer {
    return this.#encoding === 'utf8' ? bytes : Buffer.from(this.#screen.decode(bytes, { stream: true }));
  }

  typed(keys: Buffer): Buffer {
    const encoding = this.#encoding;
    if (encoding === 'utf8') return keys;
    return Buffer.from([...this.#keys.decode(keys, { stream: true })].flatMap((char) => bytesOf(encoding, char)));
  }
}
