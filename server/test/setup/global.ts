import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/db/connect.ts';
import { startEmbedded } from '../../src/db/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { citusUrl, dropCitusDatabases, makeCitusTemplate, onCitus } from './citus.ts';
import { dropDatabases, removeCluster, withClient } from './clean-up.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Test server, and the migrated template database that each test file copies. */
    database: { url: string; template: string };
  }
}

type Server = { readonly url: string; readonly close: () => Promise<void>; readonly closeArgs: readonly string[] };

const prefix = 'farlink-test-';

const alive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** Removes clusters of runs that were killed before their cleanup. */
const sweep = async () => {
  const left = readdirSync(tmpdir()).filter((name) => name.startsWith(prefix) && !alive(Number(name.slice(prefix.length))));
  for (const name of left) await removeCluster(join(tmpdir(), name));
};

const openEmbedded = async (): Promise<Server> => {
  await sweep();
  const folder = join(tmpdir(), `${prefix}${process.pid}`);
  mkdirSync(folder);
  const { url, stop } = await startEmbedded(folder, { fsync: false });
  return { url, close: () => stop().then(() => removeCluster(folder)), closeArgs: ['cluster', folder] };
};

const openExternal = (url: string, template: string): Server => ({
  url,
  close: () => dropDatabases(url, template),
  closeArgs: ['databases', url, template],
});

const openCitus = (url: string, template: string): Server => ({
  url,
  close: () => dropCitusDatabases(url, template),
  closeArgs: ['citus', url, template],
});

const openServer = (template: string): Promise<Server> | Server => {
  const externalUrl = process.env.TEST_DATABASE_URL;
  if (onCitus && citusUrl !== undefined) return openCitus(citusUrl, template);
  return externalUrl ? openExternal(externalUrl, template) : openEmbedded();
};

const makeTemplate = async (url: string, template: string) => {
  if (onCitus) return makeCitusTemplate(url, template);
  await withClient(url, (client) => client.query(`create database ${template}`));
  const at = new URL(url);
  at.pathname = `/${template}`;
  const { pool } = await openDatabase(at.href, { max: 1 });
  await migrate(pool).finally(() => pool.end());
};

export default async (project: TestProject) => {
  const template = `farlink_test_${randomBytes(5).toString('hex')}`;
  const server = await openServer(template);

  // After Ctrl-C the process exits without a teardown, so a separate process cleans up.
  const cleanUp = () => spawnSync(process.execPath, [fileURLToPath(new URL('./clean-up-script.ts', import.meta.url)), ...server.closeArgs]);
  process.once('exit', cleanUp);
  const close = async () => {
    await server.close();
    process.off('exit', cleanUp);
  };

  try {
    await makeTemplate(server.url, template);
  } catch (error) {
    await close();
    throw error;
  }
  project.provide('database', { url: server.url, template });
  return close;
};
