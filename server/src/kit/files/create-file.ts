import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

type Source = NodeJS.ReadableStream | AsyncIterable<Buffer | string>;

/** Writes a new file. The file is created first, so that a cleanup after a failed source finds it and no late open creates it again. */
export const createFile = async (path: string, source: Source, { signal }: { readonly signal?: AbortSignal } = {}) => {
  const file = await open(path, 'wx', 0o600);
  try {
    await pipeline(source, file.createWriteStream(), signal ? { signal } : {});
  } finally {
    await file.close();
  }
};
