import { setTimeout as pause } from 'node:timers/promises';
import { exportState } from '@farlink/contract/export/export.ts';
import type { Pool } from 'pg';
import type { Server } from '../test-server.ts';
import type { Range } from './pages.ts';

interface Task {
  readonly status: number;
  readonly total: number;
}

/** Runs an export until its file is ready: duration, rows and memory growth of the server. */
export const exportRange = async (server: Server, { start, end }: Range) => {
  const before = server.residentMb();
  let peak = before;
  const begun = performance.now();
  await server.post('traffic/export/dpi/usr', { time_start: start, time_end: end, format: 'csv', lang: 'zh' });
  for (;;) {
    const { data }: { data: { list: readonly Task[] } } = JSON.parse(await server.get('traffic/export?lang=zh&limit=1&page=1'));
    const [task] = data.list;
    peak = Math.max(peak, server.residentMb());
    if (task?.status === exportState.ids.succeeded) return { ms: performance.now() - begun, rows: task.total, growthMb: peak - before };
    if (task && !exportState.can('cancel', task.status)) throw new Error(`the export ended in state ${task.status}`);
    await pause(100);
  }
};

/** The same rows with their names, written by the database, which can write to its own folder only. */
export const copyRange = async (pool: Pool, { start, end }: Range) => {
  const { rows } = await pool.query<{ folder: string }>(`select current_setting('data_directory') as folder`);
  const begun = performance.now();
  await pool.query(`copy (select r.*, d.name, d.sn, a.name from business_dpi_hour r left join device d on d.id = r.device_id left join agent a on a.id = r.agent_id
    where r.time between ${start} and ${end} order by r.time desc, r.agent_id desc, r.id desc) to '${rows[0]?.folder}/bench-copy.csv' with (format csv)`);
  return performance.now() - begun;
};
