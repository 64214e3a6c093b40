import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import { openDatabase } from './db/connect.ts';
import { startEmbedded } from './db/embedded.ts';
import { migrate } from './db/migrate.ts';
import { rebuildTraffic } from './domain/traffic/roll-traffic.ts';
import { readConfig } from './env/config.ts';
import { StartError } from './env/start-error.ts';
import { systemClock } from './kit/clock.ts';
import { createLog } from './kit/log/log.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** The database of the configuration, of a running server, or one that is started for this command. */
const findDatabase = async () => {
  const { databaseUrl, dataDir } = readConfig(process.env);
  if (databaseUrl !== undefined) return { url: databaseUrl, stop: async () => {} };
  try {
    return await startEmbedded(dataDir, { print });
  } catch (error) {
    const file = join(dataDir, 'postgres', 'url');
    if (!(error instanceof StartError) || !existsSync(file)) throw error;
    return { url: readFileSync(file, 'utf8').trim(), stop: async () => {} };
  }
};

/** Works out traffic per hour and day again from all stored reports. Can be interrupted and repeated, also while the server runs. */
const { url, stop } = await findDatabase();
const { db, pool, close } = await openDatabase(url, { max: 2 });
try {
  await migrate(pool);
  await rebuildTraffic({ db, pool, clock: systemClock, log: createLog('warn') }, (day) =>
    print(`traffic of ${zonedTime(day).slice(0, 10)} rebuilt`),
  );
} finally {
  await close();
  await stop();
}
