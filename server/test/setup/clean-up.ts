import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { isPostgres, readPostmaster } from '../../src/db/postmaster.ts';

export const withClient = async (url: string, work: (client: Client) => Promise<unknown>) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
};

/** Drops all databases of a run by name prefix. */
export const dropDatabases = (url: string, prefix: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [prefix]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });

/** Stops the embedded database of a run at once and removes its folder. */
export const removeCluster = async (folder: string) => {
  const left = readPostmaster(join(folder, 'postgres', 'cluster'));
  if (left && isPostgres(left.pid)) {
    process.kill(left.pid, 'SIGQUIT');
    while (isPostgres(left.pid)) await pause(20);
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
};
