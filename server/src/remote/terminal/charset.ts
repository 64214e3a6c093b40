export type Encoding = 'utf8' | 'gbk' | 'latin1';

const labels = { utf8: 'utf-8', gbk: 'gbk', latin1: 'latin1' } as const;

/** GBK encoding table, derived from the TextDecoder of the platform. */
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

/** Converts screen output and key input of a device that does not use UTF-8. */
export class Charset {
  readonly #encoding: Encoding;
  readonly #screen;
  readonly #keys = new TextDecoder();

  constructor(encoding: Encoding) {
    this.#encoding = encoding;
    this.#screen = new TextDecoder(labels[encoding]);
  }

  /** A multi-byte character may be split between chunks. */
  shown(bytes: Buffer): Buffer {
    return this.#encoding === 'utf8' ? bytes : Buffer.from(this.#screen.decode(bytes, { stream: true }));
  }

  typed(keys: Buffer): Buffer {
    const encoding = this.#encoding;
    if (encoding === 'utf8') return keys;
    return Buffer.from([...this.#keys.decode(keys, { stream: true })].flatMap((char) => bytesOf(encoding, char)));
  }
}
