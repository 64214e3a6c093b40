import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbedded } from '../src/db/embedded.ts';

/** Files that belong to the running primary. */
const ownFiles = /\/cluster\/(postmaster\.(pid|opts)|pg_wal\/.+|pg_replslot\/.+|standby\.signal)$/;

/** A primary and a streaming standby of it, both the embedded PostgreSQL. */
export const startPair = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-replica-'));
  const first = join(folder, 'primary');
  const second = join(folder, 'standby');
  const primary = await startEmbedded(first, { fsync: false });
  const client = new Client({ connectionString: primary.url });
  await client.connect();
  let standby: Awaited<ReturnType<typeof startEmbedded>> | undefined;

  /** A base backup: copy the files between start and stop of the backup, then stream from there. */
  const makeStandby = async () => {
    await client.query("select pg_backup_start('standby', true)");
    const from = join(first, 'postgres');
    const to = join(second, 'postgres');
    mkdirSync(to, { recursive: true });
    cpSync(from, to, {
      recursive: true,
      filter: (path) => !ownFiles.test(path) || path.endsWith('archive_status'),
      preserveTimestamps: true,
    });
    const { rows } = await client.query<{ labelfile: string; spcmapfile: string }>(
      'select labelfile, spcmapfile from pg_backup_stop(false)',
    );
    const cluster = join(to, 'cluster');
    for (const name of ['pg_wal/archive_status', 'pg_replslot']) mkdirSync(join(cluster, name), { recursive: true });
    writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
    const { hostname, port, username, password } = new URL(primary.url);
    const source = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
    writeFileSync(join(cluster, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    writeFileSync(join(cluster, 'standby.signal'), '');
  };

  const start = async (): Promise<string> => {
    if (!existsSync(second)) await makeStandby();
    standby = await startEmbedded(second, { fsync: false });
    return standby.url;
  };
  const stop = async () => {
    await standby?.stop();
    standby = undefined;
  };
  return {
    url: primary.url,
    start,
    stop,
    close: async () => {
      await stop();
      await client.end();
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
