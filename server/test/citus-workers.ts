import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { nodeUrls, onCitus } from './setup/citus.ts';
import { withClient } from './setup/clean-up.ts';

/**
 * Tests that stop workers run with TEST_CITUS_FAULTS=on only: the workers must run on this machine, and no other test may use the cluster
 * at that time.
 */
export const mayStopWorkers = onCitus && process.env.TEST_CITUS_FAULTS === 'on';

interface Worker {
  readonly url: string;
  /** Stops the worker at once, as a power failure does. */
  stop(): void;
  start(): void;
  /** Kills a server process that is in a transaction with SIGKILL. The worker then recovers by itself. */
  killBusy(): Promise<void>;
}

const readLocation = async (url: string) => {
  const found = { folder: '', bin: '' };
  await withClient(url, async (client) => {
    const { rows } = await client.query<{ folder: string; bin: string }>(
      `select current_setting('data_directory') as folder, (select setting from pg_config where name = 'BINDIR') as bin`,
    );
    Object.assign(found, rows[0]);
  });
  return found;
};

const openWorker = async (url: string): Promise<Worker> => {
  const { folder, bin } = await readLocation(url);
  const { uid, gid } = statSync(folder);
  // Files of the user who runs the tests are not readable for the server.
  const env = { PATH: process.env.PATH, HOME: folder };
  const control = (...args: readonly string[]) => {
    const done = spawnSync(join(bin, 'pg_ctl'), ['-D', folder, '-w', ...args], { uid, gid, cwd: folder, env, stdio: 'ignore' });
    if (done.status !== 0) throw new Error(`pg_ctl ${args.join(' ')} ended with ${done.status}`);
  };
  return {
    url,
    stop: () => control('-m', 'immediate', 'stop'),
    start: () => control('-l', join(folder, 'log.txt'), 'start'),
    killBusy: async () => {
      const client = new Client({ connectionString: url });
      await client.connect();
      client.on('error', () => {});
      try {
        for (;;) {
          const { rows } = await client.query<{ pid: number }>(
            `select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
               and backend_type = 'client backend' and state in ('active', 'idle in transaction') limit 1`,
          );
          const pid = rows[0]?.pid;
          if (pid === undefined) continue;
          process.kill(pid, 'SIGKILL');
          return;
        }
      } finally {
        await client.end().catch(() => {});
      }
    },
  };
};

export const openWorkers = async (url: string): Promise<Worker[]> => {
  const [, ...workers] = await nodeUrls(url);
  return Promise.all(workers.map(openWorker));
};
