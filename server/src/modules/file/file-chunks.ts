import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Selectable } from 'kysely';
import type { FileUploadTable } from '../../db/tables.ts';
import type { Deps } from '../../kit/deps.ts';
import type { FileStore } from '../../kit/files/file-store.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

type Uploading = Pick<Selectable<FileUploadTable>, 'id' | 'part_size' | 'received'>;

/** Chunks are in the file store, not on local disk, because another process may receive the next chunk. */
export const chunkKey = (id: number, offset: number) => `upload/${id}/${offset}`;

const offsetsOf = ({ part_size, received }: Uploading) => Array.from({ length: Math.ceil(received / part_size) }, (_, i) => i * part_size);

export const removeChunks = async (store: FileStore, upload: Uploading) => {
  for (const offset of offsetsOf(upload)) await store.remove(chunkKey(upload.id, offset));
};

export interface Joined {
  readonly path: string;
  readonly sha256: string;
}

/** Joins the chunks into a temporary file, computes its hash and passes the file to `use`. */
export const withJoined = async <T>(deps: Deps, upload: Uploading, use: (joined: Joined) => Promise<T>): Promise<T> => {
  const store = openFileStore(deps.config);
  const folder = join(deps.config.dataDir, 'tmp');
  const path = join(folder, `joined-${upload.id}-${randomUUID()}`);
  const hash = createHash('sha256');
  async function* bytes() {
    for (const offset of offsetsOf(upload))
      for await (const chunk of await store.get(chunkKey(upload.id, offset))) {
        hash.update(chunk);
        yield chunk;
      }
  }
  await mkdir(folder, { recursive: true });
  try {
    await pipeline(Readable.from(bytes(), { objectMode: false }), createWriteStream(path, { flags: 'wx', mode: 0o600 }));
    return await use({ path, sha256: hash.digest('hex') });
  } finally {
    await rm(path, { force: true });
  }
};
