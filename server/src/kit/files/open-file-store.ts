import { join } from 'node:path';
import type { Config } from '../../env/config.ts';
import type { FileStore } from './file-store.ts';
import { localStore } from './local-store.ts';
import { s3Store } from './s3-store.ts';

/** No `..`, no absolute path, and no characters that a shell, a URL or a file system treats specially. */
const isWellFormed = (key: string) => key.length <= 512 && /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/.test(key);

const guarded = (store: FileStore): FileStore => {
  const checked = (key: string) => {
    if (!isWellFormed(key)) throw new Error(`not a key of a file: ${JSON.stringify(key)}`);
    return key;
  };
  return {
    put: async (key, source, size) => store.put(checked(key), source, size),
    get: async (key, span) => store.get(checked(key), span),
    size: async (key) => store.size(checked(key)),
    remove: async (key) => store.remove(checked(key)),
  };
};

/** Local folder or S3 bucket, depending on the configuration. */
export const openFileStore = (config: Pick<Config, 'dataDir' | 's3'>): FileStore =>
  guarded(config.s3 ? s3Store(config.s3) : localStore(join(config.dataDir, 'files')));
