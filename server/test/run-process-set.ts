import { join } from 'node:path';
import { startEmbedded } from '../src/db/embedded.ts';
import { startProcessSet } from './process-set.ts';

/** Runs an installation of several processes behind haproxy until it is stopped: node server/test/run-process-set.ts FOLDER COUNT */
const [, , folder = '', count = '2'] = process.argv;
const print = (line: string) => process.stdout.write(`${line}\n`);

const database = await startEmbedded(join(folder, 'database'), { fsync: false });
const { PATH: _, HAPROXY: haproxy, ...env } = process.env;
const set = await startProcessSet({ databaseUrl: database.url, folder, count: Number(count), env, haproxy, isDirect: true });
process.once('SIGTERM', async () => {
  await set.stop();
  await database.stop();
  process.exit(0);
});
print(`Set: ${set.base},${set.ports.mqtt},${set.ports.https}`);
