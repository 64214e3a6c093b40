import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type ClientBase, DatabaseError, type Pool } from 'pg';
import { reasonOf, StartError } from '../env/start-error.ts';

export const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url));

const migrateLock = 728_465_002;

type Migration = { readonly name: string; readonly sql: string; readonly sha256: string };
type Applied = { readonly sha256: string; readonly runs_with: string | null };

/**
 * A migration may remove or change what older versions use. Its line `-- runs with: NAME` then names the first migration whose version no
 * longer uses it. Without this line, all older versions can run with the migration.
 */
const runsWith = ({ sql }: Migration): string | null => /^-- runs with: (\S+)$/m.exec(sql)?.[1] ?? null;

/**
 * A migration that waits for a lock blocks all later users of the table, so it gives up and tries again. Each wait is shorter than the
 * deadlock timeout of PostgreSQL (1 s), because deadlock detection could end the statement of an operator instead of the migration. Short
 * waits come first: most calls hold a lock for milliseconds, and a longer wait does not help if a call waits for the migration too.
 */
const lockTimeoutsMs = [50, 100, 200, 400] as const;
const retryMs = 150;
const patienceMs = 300_000;
const isLocked = (error: unknown) => error instanceof DatabaseError && (error.code === '55P03' || error.code === '40P01');

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

/** The 104 migrations before the first release are merged into the files up to `into`. The schema after the last one is the same. */
const merged = { first: '0001_foundation.sql', last: '0250_plain_phones.sql', into: '0013_audit.sql' } as const;

/** The names without those of merged migrations, if the last of these is there. */
export const withoutMerged = (names: readonly string[]): string[] =>
  names.filter((name) => name > merged.last || !names.includes(merged.last));

/** Names of the migrations of this version. */
export const knownMigrations = async (folder = migrationsFolder): Promise<string[]> =>
  (await readMigrations(folder)).map(({ name }) => name);

const checkApplied = (migrations: readonly Migration[], applied: ReadonlyMap<string, Applied>) => {
  if (applied.has(merged.first))
    throw new StartError(
      `The database lacks the migration ${merged.last} of the version before this one: start that version once, or restore a backup of it.`,
    );
  const changed = migrations.find((m) => applied.has(m.name) && applied.get(m.name)?.sha256 !== m.sha256);
  if (changed)
    throw new StartError(
      `The migration ${changed.name} has changed since this database applied it: restore the file or start on an empty database.`,
    );
  const isKnown = (name: string) => migrations.some((m) => m.name === name);
  const tooNew = [...applied].find(([name, { runs_with }]) => !isKnown(name) && runs_with !== null && !isKnown(runs_with))?.[0];
  if (tooNew)
    throw new StartError(
      `The database has the migration ${tooNew}, with which this version cannot run: start the version that created it.`,
    );
  const missing = migrations.find((m) => !applied.has(m.name) && [...applied.keys()].some((name) => !isKnown(name) && name > m.name));
  if (missing && applied.size > 0)
    throw new StartError(`The database was made by another branch: it lacks the migration ${missing.name} and has later ones.`);
};

const tryApply = async (client: ClientBase, migration: Migration, lockTimeoutMs: number) => {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = ${lockTimeoutMs}`);
    await client.query(migration.sql);
    await client.query('insert into migration (name, sha256, runs_with) values ($1, $2, $3)', [
      migration.name,
      migration.sha256,
      runsWith(migration),
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
};

const apply = async (client: ClientBase, migration: Migration) => {
  const until = Date.now() + patienceMs;
  for (let tried = 0; ; tried++) {
    try {
      return await tryApply(client, migration, lockTimeoutsMs[tried % lockTimeoutsMs.length] ?? 400);
    } catch (error) {
      if (!isLocked(error) || Date.now() > until)
        throw new StartError(`The migration ${migration.name} failed and was undone: ${reasonOf(error)}.`);
      await pause(retryMs);
    }
  }
};

/** The column of older databases is added only if it is missing: even an idle ALTER TABLE waits for all readers. */
const makeTable = async (client: ClientBase) => {
  await client.query(
    'create table if not exists migration (name text primary key, sha256 text not null, applied_at timestamptz not null default now())',
  );
  const { rowCount } = await client.query(
    "select from pg_attribute where attrelid = 'migration'::regclass and attname = 'runs_with' and not attisdropped",
  );
  if (rowCount === 0) await client.query('alter table migration add column runs_with text');
};

/** Records the files instead of the migrations that were merged into them. */
const replaceMerged = async (client: ClientBase, migrations: readonly Migration[]) => {
  const files = migrations.filter(({ name }) => name <= merged.into);
  await client.query(
    `with replaced as (
       delete from migration where name collate "C" <= $1 and exists (select from migration where name = $1) returning name
     )
     insert into migration (name, sha256) select * from unnest($2::text[], $3::text[]) where exists (select from replaced)`,
    [merged.last, files.map(({ name }) => name), files.map(({ sha256 }) => sha256)],
  );
};

/**
 * Applies all new migrations and returns their names. Processes that start together wait for each other. Migrations of a newer version may
 * be there already: during an upgrade, old and new processes run side by side.
 */
export const migrate = async (pool: Pool, folder = migrationsFolder): Promise<string[]> => {
  const migrations = await readMigrations(folder);
  const client = await pool.connect();
  let fit = false;
  try {
    await client.query('select pg_advisory_lock($1)', [migrateLock]);
    await makeTable(client);
    await replaceMerged(client, migrations);
    const { rows } = await client.query<Applied & { name: string }>('select name, sha256, runs_with from migration');
    const applied = new Map(rows.map((row) => [row.name, row]));
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
