import { open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';

type Source = NodeJS.ReadableStream | AsyncIterable<Buffer | string>;

/**
 * Writes a file that did not exist. It exists from the start: when the source fails, whoever removes the file finds it, and no
 * late opening brings it back.
 */
export const createFile = async (path: string, source: Source, { signal }: { readonly signal?: AbortSignal } = {}) => {
  const file = await open(path, 'wx', 0o600);
  try {
    await pipeline(source, file.createWriteStream(), signal ? { signal } : {});
  } finally {
    await file.close();
  }
};
