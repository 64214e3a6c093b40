import { limits } from '@farlink/contract/limits.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';
import type { DpiReason } from '@farlink/contract/traffic/dpi-reasons.ts';
import { dpiCodes, dpiSectionName } from '@farlink/gateway/protocol/dpi.ts';
import { completeUploadsSql } from '../../domain/dpi-task/complete-uploads.ts';
import type { MovedCommand } from './commit-items.ts';
import type { ProgressItem, SectionItem, Tx } from './tx.ts';

/** Gateway reports on a reporting task, stored in its row. */

const { ids } = dpiStatus;
const { id: stateOf } = commandState;

interface Move {
  readonly status: number;
  readonly ended?: true;
  /** An upload that is tried again. */
  readonly retry?: true;
  readonly estimate?: number;
  readonly sha256?: string;
  readonly count?: number;
  readonly cut?: number;
}

const numberOf = (value: unknown) => (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined);

/** Data that the gateway does not have ends an estimate like a report. */
const dataCodes: readonly number[] = [dpiCodes.missing, dpiCodes.empty];

const failureOf = ({ state, code, err }: MovedCommand, isEstimate: boolean): Move => {
  if (code !== null && dataCodes.includes(code)) return { status: code, ended: true };
  if (isEstimate) return { status: ids.estimate_failed, ended: true };
  if (code === dpiCodes.package) return { status: ids.package_failed, ended: true };
  const isPermanent =
    state === stateOf('expired') || err === 'limit' || (code === null && (err === 'unsupported' || err?.startsWith('arguments') === true));
  return { status: ids.upload_failed, ended: true, ...(!isPermanent && { retry: true }) };
};

const moveOf = (command: MovedCommand): Move | undefined => {
  const { state, out, args } = command;
  const isEstimate = typeof args.put !== 'string';
  if (state === stateOf('running')) return isEstimate ? undefined : { status: ids.executing };
  if (state === stateOf('failed') || state === stateOf('expired')) return failureOf(command, isEstimate);
  if (state !== stateOf('done')) return undefined;
  if (isEstimate) {
    const estimate = numberOf(out?.size);
    return estimate === undefined ? { status: ids.estimate_failed, ended: true } : { status: ids.estimated, estimate };
  }
  const count = numberOf(out?.count);
  const cut = numberOf(out?.until);
  return {
    status: ids.executing,
    sha256: String(out?.sha256 ?? ''),
    ...(count !== undefined && { count }),
    ...(cut !== undefined && { cut }),
  };
};

/** A task that was stopped stays stopped. A failed upload is repeated after 1, 4 and 16 minutes. */
const moveSql = `
  with reported as (
    select * from json_to_recordset($1::json)
      as u(id text, status smallint, progress smallint, err text, ended boolean, retry boolean, estimate bigint, sha256 text, count integer, cut bigint)
  )
  update dpi_task t set
    status = case when n.again then ${ids.issued} else u.status end,
    ended = coalesce(u.ended, false) and not n.again,
    progress = case when u.estimate is not null then 0 else greatest(t.progress, u.progress) end,
    err = case when u.ended then u.err else null end,
    command_id = case when u.ended or u.estimate is not null then null else t.command_id end,
    next_at = case when n.again then $2::bigint + 60 * 4 ^ greatest(t.tries - 1, 0) else t.next_at end,
    estimate_size = coalesce(u.estimate, t.estimate_size), said_sha256 = coalesce(u.sha256, t.said_sha256),
    batch_count = coalesce(u.count, t.batch_count), cut_at = coalesce(u.cut, t.cut_at), update_at = $2::bigint
  from reported u, dpi_task was, lateral (select coalesce(u.retry, false) and was.tries < ${limits.fileTries} as again) n
  where was.id = t.id and t.command_id = u.id and not t.ended and t.status in (${ids.issued}, ${ids.executing})
  returning t.id, t.said_sha256 is not null and t.file_sha256 is not null as whole`;

const reasonOf = ({ err, state }: MovedCommand): string =>
  err ?? ((state === stateOf('expired') ? 'expired' : '') satisfies DpiReason | '');

export const handleReports = async (tx: Tx, commands: readonly MovedCommand[]) => {
  const moves = commands.flatMap((command) => {
    const move = moveOf(command);
    return move ? [{ id: command.id, progress: Math.min(command.progress, 99), err: reasonOf(command), ...move }] : [];
  });
  if (moves.length === 0) return;
  const moved = await tx.query<{ id: number; whole: boolean }>('dpi_move', moveSql, [JSON.stringify(moves), tx.now]);
  const whole = moved.filter((row) => row.whole).map(({ id }) => id);
  if (whole.length > 0) await tx.query('dpi_settle', completeUploadsSql, [whole, tx.now]);
};

const startedSql = `
  update dpi_task t set status = ${ids.executing}, err = null, update_at = $2
  from json_to_recordset($1::json) as u(device bigint, rev integer)
  where t.device_id = u.device and t.mode = 'continuous' and t.section_rev <= u.rev and t.status = ${ids.issued} and not t.ended`;

const refusedSql = `
  update dpi_task t set status = ${ids.upload_failed}, ended = true, err = u.err, update_at = $2
  from json_to_recordset($1::json) as u(device bigint, rev integer, err text)
  where t.device_id = u.device and t.mode = 'continuous' and t.section_rev = u.rev and t.status = ${ids.issued} and not t.ended`;

/** Continuous tasks follow the echo of their section. */
export const followReportSections = async (tx: Tx, items: readonly SectionItem[]) => {
  const echoes = items.filter(({ section, body }) => section === dpiSectionName && !body.loc);
  const started = echoes.flatMap(({ device, body }) => (body.ok ? [{ device, rev: body.rev }] : []));
  const refused = echoes.flatMap(({ device, body }) => (body.ok ? [] : [{ device, rev: body.rev, err: body.err }]));
  if (started.length > 0) await tx.query('dpi_begun', startedSql, [JSON.stringify(started), tx.now]);
  if (refused.length > 0) await tx.query('dpi_refused', refusedSql, [JSON.stringify(refused), tx.now]);
};

/** Bytes since the start only grow, so a repeated or late message changes nothing. */
const reportedSql = `
  update dpi_task t set last_at = u.t, last_bytes = u.n - coalesce(t.size, 0), size = u.n, update_at = $2,
    status = case when u.full then ${ids.reported} else ${ids.executing} end, ended = coalesce(u.full, false),
    progress = case when u.full then 100 when t.limit_flow > 0 then least(99, u.n * 100 / t.limit_flow) else 0 end,
    err = case when u.full then 'full' end
  from json_to_recordset($1::json) as u(device bigint, task text, t bigint, n bigint, "full" boolean)
  where t.device_id = u.device and t.task_no = u.task and t.mode = 'continuous' and not t.ended and (u.n > coalesce(t.size, 0) or u.full)`;

export const storeReportProgress = async (tx: Tx, items: readonly ProgressItem[]) => {
  const rows = items.flatMap(({ device, section, body }) =>
    section === dpiSectionName ? Object.entries(body.r ?? {}).map(([task, one]) => ({ device, task, ...one })) : [],
  );
  // One row for each task, because an UPDATE uses an arbitrary one of several matching rows.
  const last = new Map(rows.map((row) => [`${row.device} ${row.task}`, row]));
  if (last.size > 0) await tx.query('dpi_reported', reportedSql, [JSON.stringify([...last.values()]), tx.now]);
};
