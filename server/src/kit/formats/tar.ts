/** The tar format (POSIX ustar, with pax headers for long names and large files), as a stream. */
const block = 512;
const largestOctal = 0o77777777777;

export type TarEntry = { readonly name: string; readonly size: number; readonly isFolder: boolean };

/** The stream is not a whole tar file. */
export class TarError extends Error {}

const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;

const sumOf = (header: Buffer) => header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0);

const ustar = (name: string, size: number, type: string, at: number) => {
  const header = Buffer.alloc(block);
  header.write(name, 0, 100);
  header.write(octal(type === '5' ? 0o700 : 0o600, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(size, 12), 124);
  header.write(octal(at, 12), 136);
  header.write(type, 156);
  header.write('ustar\x0000', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
};

/** A pax record states its own length. */
const paxRecord = (key: string, value: string) => {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = [1, 2, 3, 4].map((digits) => bytes + digits).find((sum) => String(sum).length === sum - bytes) ?? 0;
  return `${length}${rest}`;
};

export const padding = (size: number) => Buffer.alloc((block - (size % block)) % block);
export const tarEnd = () => Buffer.alloc(2 * block);

export const tarHeader = ({ name, size, isFolder }: TarEntry, at = 0): Buffer => {
  const type = isFolder ? '5' : '0';
  const path = isFolder && !name.endsWith('/') ? `${name}/` : name;
  if (Buffer.byteLength(path) <= 100 && size <= largestOctal) return ustar(path, size, type, at);
  const records = Buffer.from(paxRecord('path', path) + paxRecord('size', String(size)));
  const short = path.slice(-90).replace(/[^\x21-\x7e]/g, '_');
  return Buffer.concat([
    ustar('pax', records.length, 'x', at),
    records,
    padding(records.length),
    ustar(short, size > largestOctal ? 0 : size, type, at),
  ]);
};

const textOf = (header: Buffer, from: number, length: number) => {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? length : end).toString();
};

const paxOf = (records: Buffer): Map<string, string> => {
  const found = new Map<string, string>();
  for (let at = 0; at < records.length; ) {
    const length = Number.parseInt(records.toString('latin1', at, at + 8), 10);
    if (!(length > 4)) throw new TarError('a pax header cannot be read');
    const [, key = '', value = ''] = /^\d+ ([^=]+)=([\s\S]*)\n$/.exec(records.toString('utf8', at, at + length)) ?? [];
    found.set(key, value);
    at += length;
  }
  return found;
};

/** Reads an exact number of bytes from chunks of any size. */
class ByteReader {
  #left: Buffer = Buffer.alloc(0);
  readonly #source: AsyncIterator<Buffer>;

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async *chunks(size: number): AsyncGenerator<Buffer> {
    for (let missing = size; missing > 0; ) {
      if (this.#left.length === 0) {
        const { value, done } = await this.#source.next();
        if (done) throw new TarError('it ends too early');
        this.#left = value;
      }
      const chunk = this.#left.subarray(0, missing);
      this.#left = this.#left.subarray(chunk.length);
      missing -= chunk.length;
      if (chunk.length > 0) yield chunk;
    }
  }

  async readExactly(size: number): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.chunks(size)) chunks.push(chunk);
    return Buffer.concat(chunks, size);
  }

  /** Reads to the end, so that errors of the source after the last entry are seen. */
  async drain() {
    while (!(await this.#source.next()).done);
  }

  async close() {
    await this.#source.return?.();
  }
}

const maxPaxBytes = 64 * 1024;

type Header = { readonly name: string; readonly size: number; readonly type: string };

const parseHeader = (header: Buffer): Header | undefined => {
  if (header.every((byte) => byte === 0)) return undefined;
  if (Number.parseInt(textOf(header, 148, 8), 8) !== sumOf(header)) throw new TarError('the checksum of a header is wrong');
  const size = Number.parseInt(textOf(header, 124, 12), 8);
  if (!Number.isSafeInteger(size)) throw new TarError('the size of a file cannot be read');
  const prefix = textOf(header, 257, 5) === 'ustar' ? textOf(header, 345, 155) : '';
  const name = textOf(header, 0, 100);
  return { name: prefix ? `${prefix}/${name}` : name, size, type: textOf(header, 156, 1) || '0' };
};

/** The next header with its pax header applied. Undefined: the end. */
const nextHeader = async (reader: ByteReader): Promise<Header | undefined> => {
  const header = parseHeader(await reader.readExactly(block));
  if (header?.type !== 'x') return header;
  if (header.size > maxPaxBytes) throw new TarError('a pax header is too large');
  const pax = paxOf(await reader.readExactly(header.size));
  await reader.readExactly(padding(header.size).length);
  const next = parseHeader(await reader.readExactly(block));
  if (!next) throw new TarError('it ends too early');
  return { ...next, name: pax.get('path') ?? next.name, size: Number(pax.get('size') ?? next.size) };
};

/** Reads all entries. `use` gets each with its content; content that it does not read is skipped. */
export const readTar = async (source: AsyncIterable<Buffer>, use: (entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>) => {
  const reader = new ByteReader(source);
  try {
    for (;;) {
      const header = await nextHeader(reader);
      if (!header) break;
      const isFolder = header.type === '5';
      if (!isFolder && header.type !== '0') throw new TarError(`${header.name} is neither a file nor a folder`);
      const size = isFolder ? 0 : header.size;
      const content = reader.chunks(size);
      await use({ name: header.name.replace(/\/$/, ''), size, isFolder }, content);
      for await (const _ of content);
      await reader.readExactly(padding(size).length);
    }
    await reader.drain();
  } finally {
    await reader.close();
  }
};
