import { setTimeout as pause } from 'node:timers/promises';
import type { Pool } from 'pg';
import { readSpread } from './cluster.ts';

const pendingSql = `select coalesce(json_agg(gid), '[]')::text from pg_prepared_xacts where database = current_database()`;
const pauseMs = 20;
const longestMs = 5000;

/** Commits that are decided but not visible on their worker yet, or not decided. */
const readPending = async (pool: Pool): Promise<string[]> => {
  const { rows } = await pool.query<{ success: boolean; result: string }>('select success, result from run_command_on_workers($1)', [
    pendingSql,
  ]);
  const silent = rows.find(({ success }) => !success);
  if (silent) throw new Error(`a worker does not answer: ${silent.result}`);
  return rows.flatMap(({ result }): string[] => JSON.parse(result));
};

/**
 * On Citus a commit is visible on the coordinator some milliseconds before it is visible on the workers; after a failure of a worker, some
 * seconds. Waits until the workers show all commits that are visible on the coordinator now. Does nothing without Citus.
 */
export const waitForCommits = async (pool: Pool): Promise<void> => {
  if ((await readSpread(pool)).size === 0) return;
  const startedAt = performance.now();
  let left = new Set(await readPending(pool));
  while (left.size > 0) {
    if (performance.now() - startedAt > longestMs) {
      await pool.query('select recover_prepared_transactions()');
      throw new Error('commits of workers are not complete yet');
    }
    await pause(pauseMs);
    const now = await readPending(pool);
    left = new Set(now.filter((gid) => left.has(gid)));
  }
};
