import { type FileHandle, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isPlainPath } from './archive.ts';

/**
 * Names in DATA_DIR. Every other file of a server must be added here (a test compares):
 * `kept` is in the archive; `made` is created again at the next start, or is a key, which is never in an archive.
 */
export const dataNames = {
  kept: ['postgres', 'files', 'stand-in.json', 'audit-checkpoint.txt', 'tmp'],
  made: ['secret.key', 'remote-ssh.key', 'https-default.pem', 'simulator'],
} as const;

const isMissing = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const namesIn = async (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });

/** All files below a folder of DATA_DIR, without drafts and names that the file store never has. */
async function* filesBelow(dataDir: string, folder: string): AsyncGenerator<string> {
  for (const found of await namesIn(join(dataDir, folder))) {
    const name = `${folder}/${found.name}`;
    if (found.isDirectory() && !found.name.startsWith('.')) yield* filesBelow(dataDir, name);
    else if (found.isFile() && isPlainPath(name)) yield name;
  }
}

/** Small files, read once before the database: a checkpoint of the audit log must not be newer than the log. */
export const smallFiles = ['postgres/url', 'stand-in.json', 'audit-checkpoint.txt'] as const;

/** Stored files by name below DATA_DIR, and the recordings of open terminals, which are in tmp until they end. */
export async function* storedFiles(dataDir: string, hasFiles: boolean): AsyncGenerator<string> {
  for (const { name } of await namesIn(join(dataDir, 'tmp'))) if (/^remote-\d+\.cast$/.test(name)) yield `tmp/${name}`;
  if (hasFiles) yield* filesBelow(dataDir, 'files');
}

export type DataFile = {
  readonly size: number;
  readonly version: string;
  readonly content: () => AsyncIterable<Buffer>;
  readonly close: () => Promise<void>;
};

const chunkSize = 256 * 1024;

async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < size; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(chunkSize, size - at)), 0, null, at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

/** Opens a file with its present size: what is appended later is left out. Undefined: it was removed. */
export const openDataFile = async (dataDir: string, name: string): Promise<DataFile | undefined> => {
  let file: FileHandle;
  try {
    file = await open(join(dataDir, name));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { size, ino, mtimeMs } = await file.stat();
  return { size, version: `${ino} ${size} ${mtimeMs}`, content: () => contentOf(file, size), close: () => file.close() };
};
