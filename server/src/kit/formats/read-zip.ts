import type { Readable } from 'node:stream';
import { type Entry, openPromise, type ZipFile } from 'yauzl';

/** Limits of an uploaded archive. An archive above them is treated as a bomb. */
const maxEntries = 10_000;
const maxUnpacked = 256 * 1024 * 1024;
const maxRatio = 200;
const ratioFrom = 1024 * 1024;

const stored = 0;
const deflated = 8;

const hasSafeName = ({ fileName: name }: Entry) =>
  name !== '' && !name.includes('\0') && !/^[/\\]|^[A-Za-z]:/.test(name) && !name.split(/[/\\]/).includes('..');

const isReadable = (entry: Entry) =>
  !entry.isEncrypted() &&
  (entry.compressionMethod === deflated || (entry.compressionMethod === stored && entry.uncompressedSize === entry.compressedSize));

const isModest = ({ uncompressedSize, compressedSize }: Entry) =>
  uncompressedSize < ratioFrom || uncompressedSize <= compressedSize * maxRatio;

/** Overlapping entries let a small file decompress to petabytes. */
const areApart = async (zip: ZipFile, entries: readonly Entry[]) => {
  const sorted = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader);
  for (const [i, entry] of sorted.entries()) {
    const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
    const next = sorted[i + 1]?.relativeOffsetOfLocalHeader ?? zip.fileSize;
    if (fileDataStart + entry.compressedSize > next) return false;
  }
  return true;
};

const entriesOf = async (zip: ZipFile): Promise<Entry[] | undefined> => {
  if (zip.entryCount === 0 || zip.entryCount > maxEntries) return undefined;
  const entries: Entry[] = [];
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    unpacked += entry.uncompressedSize;
    if (unpacked > maxUnpacked || !hasSafeName(entry) || !isReadable(entry) || !isModest(entry)) return undefined;
    entries.push(entry);
  }
  return (await areApart(zip, entries)) ? entries : undefined;
};

export interface OpenZip {
  readonly entries: ReadonlyMap<string, Entry>;
  /** Decompresses one entry. The stream fails if its length differs from the directory. */
  read(entry: Entry): Promise<Readable>;
  close(): void;
}

const isSystemError = (error: unknown) => error instanceof Error && 'syscall' in error;

/** Opens an archive. Undefined: it is damaged, encrypted, has unsafe paths, or is too large. */
export const openZip = async (path: string): Promise<OpenZip | undefined> => {
  let zip: ZipFile | undefined;
  try {
    zip = await openPromise(path, { autoClose: false, lazyEntries: true });
    const entries = await entriesOf(zip);
    if (!entries) {
      zip.close();
      return undefined;
    }
    const open = zip;
    return {
      entries: new Map(entries.map((entry) => [entry.fileName, entry])),
      read: (entry) => open.openReadStreamPromise(entry),
      close: () => open.close(),
    };
  } catch (error) {
    zip?.close();
    if (isSystemError(error)) throw error;
    return undefined;
  }
};

/** Entries of an archive that `openZip` accepts. */
export const readZipDirectory = async (path: string): Promise<readonly Entry[] | undefined> => {
  const zip = await openZip(path);
  zip?.close();
  return zip && [...zip.entries.values()];
};
