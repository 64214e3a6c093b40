import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createZstdDecompress } from 'node:zlib';
import { reasonOf, StartError } from '../env/start-error.ts';
import { readTar, type TarEntry, TarError } from '../kit/formats/tar.ts';
import { ArchiveError, type Description, descriptionName, isPlainPath, readDescription, sumsName } from './archive.ts';

export interface ArchiveReader {
  /** Called first; it throws if the archive does not fit. */
  readonly accept: (description: Description) => void;
  /** Called for each file and folder. */
  readonly entry: (entry: TarEntry, content: AsyncIterable<Buffer>) => Promise<void>;
}

const isDamage = (error: unknown) =>
  error instanceof TarError ||
  (error instanceof Error && 'code' in error && /^(ZSTD_|Z_|ERR_ZLIB|ERR_BUFFER_TOO_LARGE)/.test(String(error.code)));

/** Passes the content on and computes its hash. */
async function* hashed(content: AsyncIterable<Buffer>, done: (sha256: string) => void): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
  done(hash.digest('hex'));
}

const parseSums = (sums: string) =>
  new Map(
    sums
      .split('\n')
      .filter((line) => line !== '')
      .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
  );

const checkSums = (file: string, found: ReadonlyMap<string, string>, sums: string | undefined) => {
  if (sums === undefined) throw new ArchiveError(`${file} is not complete: it has no checksums.`);
  const expected = parseSums(sums);
  const mismatch =
    [...expected].find(([name, sha256]) => found.get(name) !== sha256)?.[0] ?? [...found.keys()].find((name) => !expected.has(name));
  if (mismatch !== undefined) throw new ArchiveError(`${file} is damaged: ${mismatch} does not match its checksum.`);
};

const readEntries = async (file: string, source: AsyncIterable<Buffer>, { accept, entry: use }: ArchiveReader): Promise<Description> => {
  const found = new Map<string, string>();
  let description: Description | undefined;
  let sums: string | undefined;
  await readTar(source, async (entry, content) => {
    if (!description) {
      if (entry.name !== descriptionName || entry.size > 1_000_000) throw new ArchiveError(`${file} is not a backup of Farlink.`);
      description = readDescription(await text(hashed(content, (sha256) => found.set(entry.name, sha256))), file);
      return accept(description);
    }
    if (sums !== undefined || !isPlainPath(entry.name))
      throw new ArchiveError(`${file} is damaged: the name ${JSON.stringify(entry.name)} is not expected.`);
    if (entry.name === sumsName) sums = await text(content);
    else if (entry.isFolder) await use(entry, content);
    else
      await use(
        entry,
        hashed(content, (sha256) => found.set(entry.name, sha256)),
      );
  });
  if (!description) throw new ArchiveError(`${file} is not a backup of Farlink.`);
  checkSums(file, found, sums);
  return description;
};

/** Reads a whole archive and compares it with its checksums. */
export const readArchive = async (file: string, reader: ArchiveReader, signal?: AbortSignal): Promise<Description> => {
  let description: Description | undefined;
  let isRead = false;
  try {
    await pipeline(
      createReadStream(file),
      createZstdDecompress(),
      async (source: AsyncIterable<Buffer>) => {
        description = await readEntries(file, source, {
          ...reader,
          accept: (found) => {
            isRead = true;
            reader.accept(found);
          },
        });
      },
      { signal },
    );
  } catch (error) {
    if (error instanceof StartError) throw error;
    if (!isDamage(error)) throw new StartError(`${file} cannot be read: ${reasonOf(error)}.`);
    throw new ArchiveError(isRead ? `${file} is damaged: ${reasonOf(error)}.` : `${file} is not a backup of Farlink, or it is damaged.`);
  }
  if (!description) throw new ArchiveError(`${file} is not a backup of Farlink.`);
  return description;
};

/** Reads an archive only to check it. */
export const verifyArchive = (file: string, signal?: AbortSignal) =>
  readArchive(
    file,
    {
      accept: () => {},
      entry: async (_, content) => {
        for await (const _ of content);
      },
    },
    signal,
  );
