import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientBase, Pool } from 'pg';
import { reasonOf, StartError } from '../env/start-error.ts';

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

const migrateLock = 728_465_002;

type Migration = { readonly name: string; readonly sql: string; readonly sha256: string };

const readMigrations = async (folder: string): Promise<Migration[]> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      // Other line endings in a checkout do not change the migration.
      const sql = (await readFile(join(folder, name), 'utf8')).replaceAll('\r\n', '\n');
      return { name, sql, sha256: createHash('sha256').update(sql).digest('hex') };
    }),
  );
};

const checkApplied = (migrations: readonly Migration[], applied: ReadonlyMap<string, string>) => {
  const changed = migrations.find((m) => applied.has(m.name) && applied.get(m.name) !== m.sha256);
  if (changed)
    throw new StartError(
      `The migration ${changed.name} has changed since this database applied it: restore the file or start on an empty database.`,
    );
  const unknown = [...applied.keys()].find((name) => !migrations.some((m) => m.name === name));
  if (unknown)
    throw new StartError(`The database has the migration ${unknown}, which is unknown to this version: start the version that created it.`);
};

const apply = async (client: ClientBase, { name, sql, sha256 }: Migration) => {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query('insert into migration (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new StartError(`The migration ${name} failed and was undone: ${reasonOf(error)}.`);
  }
};

/** Applies all new migrations and returns their names. Processes that start together wait for each other. */
export const migrate = async (pool: Pool, folder = migrationsFolder): Promise<string[]> => {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  let fit = false;
  try {
    await client.query('select pg_advisory_lock($1)', [migrateLock]);
    await client.query(
      'create table if not exists migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ name: string; sha256: string }>('select name, sha256 from migration');
    const applied = new Map(rows.map((row) => [row.name, row.sha256]));
    checkApplied(migrations, applied);
    const pending = migrations.filter((m) => !applied.has(m.name));
    for (const migration of pending) await apply(client, migration);
    await client.query('select pg_advisory_unlock($1)', [migrateLock]);
    fit = true;
    return pending.map((m) => m.name);
  } finally {
    // Closing the connection releases the lock, regardless of errors.
    client.release(!fit);
  }
};
