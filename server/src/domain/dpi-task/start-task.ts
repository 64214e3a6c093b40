import { randomBytes } from 'node:crypto';
import { limits } from '@farlink/contract/limits.ts';
import { dpiHash, dpiSectionName } from '@farlink/gateway/protocol/dpi.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import type { Selectable } from 'kysely';
import type { DpiTaskTable } from '../../db/tables.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { sendCommand } from '../../orders/command.ts';
import { setDesired } from '../../orders/desired.ts';
import { writeAddress } from '../../orders/file-exchange.ts';

export type DpiTask = Selectable<DpiTaskTable>;
type StartDeps = Pick<Deps, 'db' | 'config'>;

const day = 86_400;
/** Time for a gateway that is offline or on L-band. */
const deadlineS = 7 * day;

/**
 * Makes the section list the continuous tasks of the device that have begun. It changes only if they do. Returns the revision that contains
 * them.
 */
export const refreshReportSection = async (db: Db, deviceId: number, now: number): Promise<number | undefined> => {
  const tasks = await db
    .selectFrom('dpi_task')
    .innerJoin('device', (join) => join.onRef('device.id', '=', 'dpi_task.device_id').onRef('device.agent_id', '=', 'dpi_task.agent_id'))
    .select(['dpi_task.task_no', 'dpi_task.data_type', 'dpi_task.limit_speed', 'dpi_task.limit_flow'])
    .where('dpi_task.device_id', '=', deviceId)
    .where('dpi_task.mode', '=', 'continuous')
    .where('dpi_task.ended', '=', false)
    .where('dpi_task.next_at', '<=', now)
    .orderBy('dpi_task.data_type')
    .execute();
  const doc: JsonObject = Object.fromEntries(
    tasks.map(({ task_no, data_type, limit_speed, limit_flow }) => [data_type, { task: task_no, speed: limit_speed, max: limit_flow }]),
  );
  const stored = await db
    .selectFrom('desired_section')
    .select(['rev', 'hash'])
    .where('device_id', '=', deviceId)
    .where('section', '=', dpiSectionName)
    .executeTakeFirst();
  if (stored?.hash === dpiHash(doc) || (!stored && tasks.length === 0)) return stored?.rev;
  return (await setDesired(db, deviceId, dpiSectionName, doc, { now })).rev;
};

const startContinuous = async ({ db }: StartDeps, task: DpiTask, deviceId: number, now: number) => {
  const section_rev = await refreshReportSection(db, deviceId, now);
  await db.updateTable('dpi_task').set({ section_rev, update_at: now }).where('id', '=', task.id).execute();
};

/** The file exchange accepts bytes up to the limit, summed over all tries. */
const maxBytesOf = ({ limit_flow, used_bytes }: DpiTask) =>
  limit_flow === 0 ? limits.dpiFileBytes : Math.min(limits.dpiFileBytes, Math.max(0, limit_flow - used_bytes));

const startSingle = async ({ db, config }: StartDeps, task: DpiTask, deviceId: number, now: number) => {
  const { task_no, data_type, start_at, end_at, limit_speed, operator, uid } = task;
  const order = { now, deadline: now + deadlineS, ...(uid !== null && { by: { uid, name: operator } }) };
  const range = { task: task_no, type: data_type, from: start_at ?? 0, to: end_at ?? 0 };
  if (task.operate === 'estimate') {
    // An estimate is a short message, so it may use any link.
    const command_id = await sendCommand(db, deviceId, 'dpi.send', { ...range, any: true }, order);
    await db.updateTable('dpi_task').set({ command_id, update_at: now }).where('id', '=', task.id).execute();
    return;
  }
  const id = task.upload_id ?? randomBytes(16).toString('hex');
  const max = maxBytesOf(task);
  const { url } = writeAddress(config, { device_id: deviceId, id, purpose: 'dpi', max, until: order.deadline + day });
  const limited = { speed: limit_speed, max };
  const command_id = await sendCommand(db, deviceId, 'dpi.send', { ...range, ...limited, put: url }, order);
  await db
    .updateTable('dpi_task')
    .set((eb) => ({ command_id, upload_id: id, tries: eb('tries', '+', 1), said_sha256: null, err: null, update_at: now }))
    .where('id', '=', task.id)
    .execute();
};

/** Starts a task that is due: a command for a single report or an estimate, a section for a continuous one. */
export const startTask = async (deps: StartDeps, task: DpiTask, now: number) => {
  if (task.device_id === null) return;
  if (task.mode === 'continuous') await startContinuous(deps, task, task.device_id, now);
  else await startSingle(deps, task, task.device_id, now);
};
