import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/connect.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { isPostgres, readPostmaster } from '../../src/db/postmaster.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** A server for tests, and the name of the migrated database on it that each test file copies. */
    database: { url: string; template: string };
  }
}

const prefix = 'farlink-test-';

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Clusters of runs that were killed before they could clean up. */
const sweep = () => {
  for (const name of readdirSync(tmpdir()).filter((n) => n.startsWith(prefix))) {
    if (alive(Number(name.slice(prefix.length)))) continue;
    const folder = join(tmpdir(), name);
    const left = readPostmaster(join(folder, 'postgres', 'cluster'));
    if (left && isPostgres(left.pid)) process.kill(left.pid, 'SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
};

const openServer = async () => {
  const given = process.env.TEST_DATABASE_URL;
  if (given) return { url: given, close: async () => {} };
  sweep();
  const folder = join(tmpdir(), `${prefix}${process.pid}`);
  mkdirSync(folder);
  const embedded = await startEmbedded(folder, { fsync: false });
  const close = async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true });
  };
  return { url: embedded.url, close };
};

const admin = async (url: string, work: (client: Client) => Promise<unknown>) => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await work(client).finally(() => client.end());
};

const dropAll = (url: string, template: string) =>
  admin(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [template]);
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
  });

export default async (project: TestProject) => {
  const server = await openServer();
  const template = `farlink_test_${randomBytes(5).toString('hex')}`;
  let done: Promise<void> | undefined;
  const close = () => {
    done ??= dropAll(server.url, template).finally(server.close);
    return done;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => close().finally(() => process.exit(1)));
  try {
    await admin(server.url, (client) => client.query(`create database ${template}`));
    const at = new URL(server.url);
    at.pathname = `/${template}`;
    const { pool } = await openDatabase(at.href, { max: 1 });
    await migrate(pool).finally(() => pool.end());
  } catch (error) {
    await close();
    throw error;
  }
  project.provide('database', { url: server.url, template });
  return close;
};
