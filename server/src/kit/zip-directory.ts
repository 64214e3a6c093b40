import { type FileHandle, open } from 'node:fs/promises';

export interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly offset: number;
  readonly compressed: number;
  readonly size: number;
}

const endMark = 0x06054b50;
const entryMark = 0x02014b50;
const localMark = 0x04034b50;
const [endBytes, entryBytes, localBytes, commentMax] = [22, 46, 30, 0xffff];

/** What a package of ours may hold at most, unpacked; the rest is taken for a bomb. */
const maxEntries = 10_000;
const maxUnpacked = 256 * 1024 * 1024;
const maxRatio = 200;
const ratioFrom = 1024 * 1024;

const readAt = async (file: FileHandle, at: number, length: number) => {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, at);
  return buffer.subarray(0, bytesRead);
};

const findEnd = async (file: FileHandle, size: number) => {
  const start = Math.max(0, size - endBytes - commentMax);
  const tail = await readAt(file, start, size - start);
  for (let at = tail.length - endBytes; at >= 0; at--) {
    if (tail.readUInt32LE(at) === endMark && tail.readUInt16LE(at + 20) === tail.length - at - endBytes) return tail.subarray(at);
  }
  return undefined;
};

const parse = (directory: Buffer, count: number): ZipEntry[] | undefined => {
  const entries: ZipEntry[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    if (at + entryBytes > directory.length || directory.readUInt32LE(at) !== entryMark) return undefined;
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field));
    const end = at + entryBytes + (nameLength ?? 0);
    entries.push({
      name: directory.toString('utf8', at + entryBytes, end),
      method: directory.readUInt16LE(at + 10),
      compressed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    });
    at = end + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return at === directory.length ? entries : undefined;
};

const safeName = (name: string) =>
  name !== '' && !name.includes('\0') && !/^[/\\]|^[A-Za-z]:/.test(name) && !name.split(/[/\\]/).includes('..');

/** Entries that lie on top of each other are how a small file unpacks to petabytes. */
const apart = async (file: FileHandle, entries: readonly ZipEntry[], directoryAt: number) => {
  const sorted = entries.toSorted((a, b) => a.offset - b.offset);
  for (const [i, entry] of sorted.entries()) {
    const header = await readAt(file, entry.offset, localBytes);
    if (header.length < localBytes || header.readUInt32LE(0) !== localMark) return false;
    const end = entry.offset + localBytes + header.readUInt16LE(26) + header.readUInt16LE(28) + entry.compressed;
    if (end > (sorted[i + 1]?.offset ?? directoryAt)) return false;
  }
  return true;
};

const modest = ({ size, compressed, method }: ZipEntry) =>
  (method === 8 || (method === 0 && size === compressed)) && (size < ratioFrom || size <= compressed * maxRatio);

/**
 * The entries of a zip that is what it says it is, or nothing: one that is damaged, spans disks, is encrypted or 64-bit, names a
 * place outside itself, or unpacks to more than anyone would send us.
 */
export const readZipDirectory = async (path: string): Promise<ZipEntry[] | undefined> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const end = await findEnd(file, size);
    if (end?.readUInt32LE(4) !== 0) return undefined;
    const [count, length, at] = [end.readUInt16LE(10), end.readUInt32LE(12), end.readUInt32LE(16)];
    if (count === 0 || count > maxEntries || at + length > size || length > maxEntries * 1024) return undefined;
    const entries = parse(await readAt(file, at, length), count);
    if (!entries?.every((e) => safeName(e.name) && modest(e))) return undefined;
    if (entries.reduce((sum, e) => sum + e.size, 0) > maxUnpacked) return undefined;
    return (await apart(file, entries, at)) ? entries : undefined;
  } finally {
    await file.close();
  }
};
