import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AlreadyRunning, startEmbedded } from '../db/embedded.ts';
import { StartError } from '../env/start-error.ts';

export interface FoundDatabase {
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** The embedded database of a running server, or one that is started for this command. It is never created. */
export const findDatabase = async (dataDir: string, print: (line: string) => void): Promise<FoundDatabase> => {
  const file = join(dataDir, 'postgres', 'url');
  if (!existsSync(file)) throw new StartError(`There is no embedded database in ${dataDir}: set DATA_DIR.`);
  try {
    return await startEmbedded(dataDir, { print });
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error;
    return { url: readFileSync(file, 'utf8').trim(), stop: async () => {} };
  }
};
