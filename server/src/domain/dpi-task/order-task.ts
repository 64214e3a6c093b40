import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { capabilityNames } from '@farlink/contract/protocol/capability.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import type { DpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { localTime } from '../../kit/formats/cell.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { cancelCommand, sendCommand } from '../../orders/command.ts';
import { type DpiTask, refreshReportSection, startTask } from './start-task.ts';

type OrderDeps = Pick<Deps, 'db' | 'config'>;

/** Deadline of a stop command. Without it, the task ends when its upload URL expires. */
const stopS = 86_400;

export interface ReportDevice {
  readonly id: number;
  readonly agent_id: number;
  readonly sn: string;
  readonly name: string;
  readonly caps: readonly string[];
  readonly access_at: number | null;
}

/** Locks the device, as everything that changes its sections does. */
export const lockReportDevice = (db: Db, id: number): Promise<ReportDevice | undefined> =>
  db
    .selectFrom('device')
    .select(['id', 'agent_id', 'sn', 'name', 'caps', 'access_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();

export interface DpiOrderInput {
  readonly operate: DpiTask['operate'];
  readonly data_type: DpiTask['data_type'];
  readonly mode: DpiTask['mode'];
  readonly method: DpiTask['method'];
  readonly report_at: number | null;
  readonly start_at: number | null;
  readonly end_at: number | null;
  /** KB/s and bytes; 0 is unlimited. */
  readonly limit_speed: number;
  readonly limit_flow: number;
  readonly operator: string;
  readonly uid: number | null;
}

/** Day and id: readable and unique. */
const taskNo = (id: number, now: number) =>
  `D${localTime(now, zoneMinutes).slice(0, 10).replaceAll('-', '')}${String(id).padStart(6, '0')}`;

/** The job starts the task at that time, also after a crash. */
const orderStart = (db: Db, now: number, taskId: number, runAt: number) =>
  enqueue(db, now, { kind: 'dpi_dispatch', key: `dpi_task:${taskId}:${runAt}`, runAt });

/** Records a task. An estimate starts at once; the appointment is the time of the report. */
export const orderTask = async (deps: OrderDeps, device: ReportDevice, input: DpiOrderInput, now: number): Promise<DpiTask> => {
  const { db } = deps;
  // A gateway that has never connected may support it.
  if (device.access_at !== null && !device.caps.includes('dpi')) throw fail('gateway_too_old', { args: [capabilityNames.dpi] });
  if (input.mode === 'continuous') {
    const open = await sql`select from dpi_task where device_id = ${device.id} and data_type = ${input.data_type} and mode = 'continuous'
      and not ended`.execute(db);
    if (open.rows.length > 0) throw fail('dpi_running');
  }
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('dpi_task', 'id')) as id`.execute(db);
  const id = Number(rows[0]?.id);
  const isLater = input.method === 'appointment' && input.operate === 'report';
  const next_at = isLater ? (input.report_at ?? now) : now;
  const task = await db
    .insertInto('dpi_task')
    .values({
      ...input,
      id,
      task_no: taskNo(id, now),
      next_at,
      create_at: now,
      update_at: now,
      device_id: device.id,
      agent_id: device.agent_id,
      sn: device.sn,
      device_name: device.name,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (next_at > now) await orderStart(db, now, id, next_at);
  else await startTask(deps, task, now);
  return task;
};

/** Locks a task and, before it, its device. */
export const lockTask = async (db: Db, id: number): Promise<DpiTask | undefined> => {
  const found = await db.selectFrom('dpi_task').select('device_id').where('id', '=', id).executeTakeFirst();
  if (!found) return undefined;
  if (found.device_id !== null) await sql`select from device where id = ${found.device_id} for no key update`.execute(db);
  return db.selectFrom('dpi_task').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
};

/** Starts the report after its estimate, or at the time of its appointment. */
export const confirmTask = async (deps: OrderDeps, task: DpiTask, now: number) => {
  if (!dpiStatus.can('confirm', task.status)) throw fail('dpi_not_estimated');
  const next_at = task.method === 'appointment' ? Math.max(now, task.report_at ?? now) : now;
  const confirmed = await deps.db
    .updateTable('dpi_task')
    .set({ operate: 'report', status: dpiStatus.ids.issued, progress: 0, tries: 0, err: null, next_at, update_at: now })
    .where('id', '=', task.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (next_at > now) await orderStart(deps.db, now, task.id, next_at);
  else await startTask(deps, confirmed, now);
};

/** Ends a task, and stops it at the gateway if it may have started there. */
export const endTask = async (db: Db, task: DpiTask, err: DpiReason, now: number) => {
  await db
    .updateTable('dpi_task')
    .set({ status: dpiStatus.ids.cancelled, ended: true, err, command_id: null, section_rev: null, update_at: now })
    .where('id', '=', task.id)
    .execute();
  if (task.device_id === null) return;
  if (task.mode === 'continuous') {
    await refreshReportSection(db, task.device_id, now);
    return;
  }
  const isCancelled = task.command_id !== null && (await cancelCommand(db, task.command_id, now));
  // A gateway without a command has nothing to stop. After a failed try it still stores the report.
  const received = task.command_id === null || isCancelled ? task.tries - Number(isCancelled) : 1;
  if (received <= 0) return;
  const order = { now, deadline: now + stopS, ...(task.uid !== null && { by: { uid: task.uid, name: task.operator } }) };
  await sendCommand(db, task.device_id, 'dpi.stop', { task: task.task_no }, order);
};

export const stopTask = async (db: Db, task: DpiTask, now: number) => {
  if (!dpiStatus.can('stop', task.status)) throw fail('dpi_ended');
  await endTask(db, task, 'stopped', now);
};
