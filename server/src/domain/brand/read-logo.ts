import { buffer } from 'node:stream/consumers';
import type { Config } from '../../env/config.ts';
import { Refusal } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';

export const logoMime = (key: string): 'image/png' | 'image/jpeg' => (key.endsWith('.png') ? 'image/png' : 'image/jpeg');

/** Bytes of a stored logo. Undefined: none, or its file is missing. */
export const readLogo = async (config: Config, key: string | null): Promise<Buffer | undefined> => {
  if (key === null) return undefined;
  try {
    return await buffer(await openFileStore(config).get(key));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};
