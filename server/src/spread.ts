import { openDatabase } from './db/connect.ts';
import { migrate } from './db/migrate.ts';
import { makePartitions } from './db/partitions.ts';
import { spread } from './db/spread/spread.ts';
import { readConfig } from './env/config.ts';
import { StartError } from './env/start-error.ts';
import { systemClock } from './kit/clock.ts';

const print = (line: string) => process.stdout.write(`${line}\n`);

/** Spreads measurements, traffic and audit data over the workers of a Citus cluster. Can be repeated (docs/citus.md). */
const run = async () => {
  const { databaseUrl } = readConfig(process.env);
  if (databaseUrl === undefined)
    throw new StartError('DATABASE_URL must name the coordinator of a Citus cluster: the embedded database has no workers.');
  const { pool, close } = await openDatabase(databaseUrl, { max: 3 });
  try {
    await migrate(pool);
    const done = await spread(pool, { print });
    await makePartitions(pool, systemClock.now());
    print(done.length > 0 ? `${done.length} tables spread.` : 'All tables are spread already.');
  } finally {
    await close();
  }
};

try {
  await run();
} catch (error) {
  process.stderr.write(`${error instanceof StartError ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}
