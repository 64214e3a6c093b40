import { arrivedStatuses, fileTaskIds as ids } from '@farlink/contract/file/choices.ts';
import { limits } from '@farlink/contract/limits.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { MovedCommand } from './commit-items.ts';
import type { Tx } from './tx.ts';

/** Gateway reports on a file that was sent to it, stored in the device row of the task. */

const { id: stateOf } = commandState;
const arrived: readonly number[] = arrivedStatuses;
/** Permanent failures: a retry cannot succeed. */
const failed: readonly number[] = [ids.install_failed, ids.decompress_failed, ids.aborted, ids.missing];

/** Line errors and timeouts are retried. A gateway that does not support the command reports no code. */
const isPermanent = ({ code, err }: MovedCommand) =>
  (code !== null && failed.includes(code)) || (code === null && (err === 'unsupported' || err?.startsWith('arguments') === true));

const statusOf = (command: MovedCommand): { status: number; done?: true; ended?: true; retry?: true } | undefined => {
  const { state, code } = command;
  if (state === stateOf('running')) return { status: code === ids.paused ? ids.paused : ids.downloading };
  if (state === stateOf('done'))
    return { status: code !== null && arrived.includes(code) ? code : ids.downloaded, done: true, ended: true };
  if (state !== stateOf('failed') && state !== stateOf('expired')) return undefined;
  if (isPermanent(command)) return { status: code ?? ids.download_failed, ended: true };
  return { status: code === ids.corrupt ? ids.corrupt : ids.download_failed, ended: true, retry: true };
};

/** Lock order: the task before its device rows. */
const lockSql = `
  select t.id from file_task t where t.id in (select task_id from file_task_device where command_id = any($1::text[])) order by t.id for no key update`;

/**
 * An aborted row stays aborted, unless the gateway had the complete file before. A failed try is repeated after 1, 4 and 16 minutes while
 * the task runs.
 */
const moveSql = `
  with reported as (
    select * from json_to_recordset($1::json) as u(id text, status smallint, progress smallint, err text, ended boolean, done boolean, retry boolean)
  )
  update file_task_device r set
    status = case when n.again then ${ids.waiting} else u.status end,
    ended = coalesce(u.ended, false) and not n.again,
    progress = case when n.again then 0 when u.done then 100 else greatest(r.progress, u.progress) end,
    err = case when u.done then null when u.ended then u.err else r.err end,
    command_id = case when u.ended then null else r.command_id end,
    next_at = case when n.again then $2::bigint + 60 * 4 ^ (r.tries - 1) else r.next_at end,
    update_at = $2::bigint
  from reported u, file_task t, file_task_device was,
    lateral (select coalesce(u.retry, false) and not was.ended and was.tries < ${limits.fileTries} and t.state = 'running' as again) n
  where was.id = r.id and r.command_id = u.id and t.id = r.task_id and (not r.ended or (u.done and r.status = ${ids.aborted}))
  returning r.task_id`;

const finishSql = `
  update file_task t set state = 'finished', finish_at = $2, paused = false where t.id = any($1::bigint[]) and t.state = 'running'
    and not exists (select from file_task_device r where r.task_id = t.id and not r.ended)`;

/** At most one waiting job, because each run checks everything. */
const startDownloadsSql = `
  with made as (
    insert into job (kind, payload, run_at, create_at)
    select 'file_dispatch', '{}', $1, $1 where not exists (select from job where kind = 'file_dispatch' and state = 'waiting' and run_at <= $1)
    returning id
  ) select pg_notify('farlink_job', '') from made`;

const waitingSql = `
  select from file_task_device r join file_task t on t.id = r.task_id and t.state = 'running'
  where r.device_id = any($1::bigint[]) and not r.ended and r.command_id is null limit 1`;

export const handleDownloads = async (tx: Tx, commands: readonly MovedCommand[]) => {
  const reported = commands.flatMap((command) => {
    const status = statusOf(command);
    return status ? [{ id: command.id, progress: command.progress, err: command.err, ...status }] : [];
  });
  if (reported.length === 0) return;
  const ends = reported.filter((one) => one.ended).map((one) => one.id);
  if (ends.length > 0) await tx.query('file_lock', lockSql, [ends]);
  const moved = await tx.query<{ task_id: number }>('file_move', moveSql, [JSON.stringify(reported), tx.now]);
  if (ends.length === 0 || moved.length === 0) return;
  await tx.query('file_finish', finishSql, [[...new Set(moved.map((r) => r.task_id))], tx.now]);
  await tx.query('file_start', startDownloadsSql, [tx.now]);
};

const deletedSql = `
  update file_task_device r set status = case when u.done then ${ids.deleted} else r.status end, err = u.err, command_id = null, update_at = $2
  from json_to_recordset($1::json) as u(id text, done boolean, err text) where r.command_id = u.id and r.ended`;

export const handleDeletions = async (tx: Tx, commands: readonly MovedCommand[]) => {
  const ends = commands.filter(({ state }) => state >= stateOf('done'));
  const rows = ends.map(({ id, state, err }) => ({
    id,
    done: state === stateOf('done'),
    err: state === stateOf('done') ? null : (err ?? 'expired'),
  }));
  if (rows.length > 0) await tx.query('file_deleted', deletedSql, [JSON.stringify(rows), tx.now]);
};

/** The gateway has reconnected or changed its link, so waiting downloads start. */
export const startDownloads = async (tx: Tx, deviceIds: readonly number[]) => {
  if ((await tx.query('file_waiting', waitingSql, [deviceIds])).length > 0) await tx.query('file_start', startDownloadsSql, [tx.now]);
};
