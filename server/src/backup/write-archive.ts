import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress } from 'node:zlib';
import { padding, readTar, type TarEntry, tarEnd, tarHeader } from '../kit/formats/tar.ts';
import { type Description, descriptionName, sumsName, writeDescription } from './archive.ts';
import { openDataFile, smallFiles, storedFiles } from './data-files.ts';

export interface ArchiveSource {
  readonly dataDir: string;
  readonly description: Description;
  /** The cluster as tar; started when the first pass over the files is complete. */
  readonly cluster: () => AsyncIterable<Buffer>;
  readonly signal: AbortSignal;
}

type Content = AsyncIterable<Buffer> | Iterable<Buffer>;
type Write = (chunk: Buffer) => Promise<void>;

/** Adds entries to the archive and notes their hashes. */
const entryWriter = (write: Write, madeAt: number) => {
  const sums = new Map<string, string>();
  const add = async (entry: TarEntry, content: Content) => {
    const hash = createHash('sha256');
    let written = 0;
    await write(tarHeader(entry, madeAt));
    for await (const chunk of content) {
      hash.update(chunk);
      written += chunk.length;
      await write(chunk);
    }
    if (written !== entry.size) throw new Error(`${entry.name} became shorter while it was read`);
    await write(padding(entry.size));
    if (!entry.isFolder) sums.set(entry.name, hash.digest('hex'));
  };
  const addText = (name: string, text: string) => {
    const content = Buffer.from(text);
    return add({ name, size: content.length, isFolder: false }, [content]);
  };
  return { add, addText, sums };
};

type Writer = ReturnType<typeof entryWriter>;

/** Adds the files that are new or changed since the last pass. */
const addFiles = async (
  { add }: Writer,
  { dataDir }: ArchiveSource,
  names: AsyncIterable<string> | Iterable<string>,
  seen: Map<string, string>,
) => {
  for await (const name of names) {
    const file = await openDataFile(dataDir, name);
    if (!file) continue;
    try {
      if (seen.get(name) === file.version) continue;
      await add({ name, size: file.size, isFolder: false }, file.content());
      seen.set(name, file.version);
    } finally {
      await file.close();
    }
  }
};

/**
 * Files are read before the database, and new files again after it. So the archive has every file that a database row refers to, even if
 * retention removes the file meanwhile.
 */
const addAll = async (writer: Writer, source: ArchiveSource) => {
  const seen = new Map<string, string>();
  const stored = () => storedFiles(source.dataDir, source.description.has_files);
  await writer.addText(descriptionName, writeDescription(source.description));
  await addFiles(writer, source, smallFiles, seen);
  await addFiles(writer, source, stored(), seen);
  await readTar(source.cluster(), (entry, content) => writer.add({ ...entry, name: posix.join('postgres/cluster', entry.name) }, content));
  await addFiles(writer, source, stored(), seen);
  await writer.addText(sumsName, [...writer.sums].map(([name, sha256]) => `${sha256}  ${name}\n`).join(''));
};

/** Settles when the stream has taken the chunk, or when it is destroyed. */
const writeTo =
  (stream: PassThrough): Write =>
  (chunk) =>
    new Promise((done, failed) => {
      if (chunk.length === 0) return done();
      stream.write(chunk, (error) => (error ? failed(error) : done()));
    });

/** Writes a new file, flushed to disk. The caller removes it after an error. */
export const writeArchive = async (path: string, source: ArchiveSource): Promise<void> => {
  const tar = new PassThrough({ highWaterMark: 1024 * 1024 });
  const file = await open(path, 'wx', 0o600);
  try {
    const save = async (compressed: AsyncIterable<Buffer>) => {
      for await (const chunk of compressed) await file.appendFile(chunk);
    };
    const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const piping = pipeline(tar, compress, save, { signal: source.signal });
    const write = writeTo(tar);
    const adding = addAll(entryWriter(write, Math.floor(Date.parse(source.description.made_at) / 1000)), source).then(
      () => tar.end(tarEnd()),
      (error: unknown) => {
        tar.destroy(error instanceof Error ? error : new Error(String(error)));
        throw error;
      },
    );
    // The first error is the cause; the other one follows from it.
    await Promise.all([piping, adding]);
    await file.sync();
  } finally {
    await file.close();
  }
};
