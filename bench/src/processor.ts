import { readdirSync, readFileSync } from 'node:fs';
import type { Pool } from 'pg';

/** Linux counts processor time in hundredths of a second. */
const tickMs = 10;

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly ms: number;
}

const processOf = (pid: number): Process | undefined => {
  try {
    const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(/\) (.*)/s);
    const fields = rest.split(' ');
    return { pid, parent: Number(fields[1]), ms: (Number(fields[11]) + Number(fields[12])) * tickMs };
  } catch {
    // The process has ended.
    return undefined;
  }
};

export type ProcessSource = () => (Process | undefined)[];

export const one =
  (pid: number): ProcessSource =>
  () => [processOf(pid)];

/** All processes of the PostgreSQL that this pool is connected to. */
export const postgresOf = async (pool: Pool): Promise<ProcessSource> => {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = processOf(rows[0]?.pid ?? 0)?.parent;
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => processOf(Number(name)))
      .filter((p) => p?.parent === postmaster);
};

/** Processor time in milliseconds of these processes since the start; processes that have ended are not counted. */
export const stopwatch = (processes: ProcessSource) => {
  const snapshot = () => new Map(processes().flatMap((p) => (p ? [[p.pid, p.ms] as const] : [])));
  const before = snapshot();
  return () => [...snapshot()].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
};
