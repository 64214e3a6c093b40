import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { copyFile, link, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { fail } from '../fail.ts';
import { createFile } from './create-file.ts';
import type { FileStore } from './file-store.ts';

const missing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const orNotFound = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    throw missing(error) ? fail('not_found') : error;
  }
};

/** A hard link is free. It fails across disks or on file systems without hard links; then the file is copied. */
const duplicate = (from: string, to: string) => link(from, to).catch(() => copyFile(from, to));

/** After a power failure the name must not exist without its content. */
const flush = async (path: string) => {
  const file = await open(path, 'r+');
  await file.sync().finally(() => file.close());
};

export const localStore = (folder: string): FileStore => {
  const write = async (draft: string, source: string | Readable, size: number) => {
    if (typeof source === 'string') await duplicate(source, draft);
    else await createFile(draft, source);
    const written = (await stat(draft)).size;
    if (written !== size) throw new Error(`the source has ${written} bytes instead of ${size}`);
    await flush(draft);
  };
  return {
    put: async (key, source, size) => {
      const path = join(folder, key);
      const draft = join(folder, '.draft', randomUUID());
      await mkdir(dirname(path), { recursive: true });
      await mkdir(dirname(draft), { recursive: true });
      try {
        await write(draft, source, size);
        await rename(draft, path);
      } finally {
        await rm(draft, { force: true });
      }
    },
    // Opened before the reply, so that a missing file is reported at once and a removed one is still read to its end.
    get: async (key, span) => {
      const file = await orNotFound(open(join(folder, key)));
      return createReadStream('', { fd: file, ...span });
    },
    size: async (key) => (await orNotFound(stat(join(folder, key)))).size,
    remove: (key) => rm(join(folder, key), { force: true }),
  };
};
