import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { secret32 } from './setting.ts';
import { reasonOf, StartError } from './start-error.ts';

/** Key in a file. Undefined: there is no such file. */
export const readKeyFile = (file: string): Buffer | undefined => {
  let content: string;
  try {
    content = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return secret32(content.trim());
  } catch {
    // A new key would make every stored secret unreadable, so a damaged one is never replaced.
    throw new StartError(`${file} does not contain a key of 32 bytes: restore it from a backup or set SECRET_KEY.`);
  }
};

/** Secret key of this folder, created at the first start. The file is linked into place, so that two parallel starts use the same key. */
export const openSecretKey = (dataDir: string): Buffer => {
  const file = join(dataDir, 'secret.key');
  const temporary = `${file}.${process.pid}`;
  try {
    makeFolder(dataDir);
    const found = readKeyFile(file);
    if (found) return found;
    writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
    try {
      linkSync(temporary, file);
    } catch (error) {
      if (!readKeyFile(file)) throw error;
    } finally {
      rmSync(temporary, { force: true });
    }
    return readKeyFile(file) ?? openSecretKey(dataDir);
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`The folder ${dataDir} cannot be used (${reasonOf(error)}): make it writable or set DATA_DIR to another one.`);
  }
};
