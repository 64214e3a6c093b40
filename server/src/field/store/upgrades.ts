import { fileTaskIds } from '@farlink/contract/file/choices.ts';
import { limits } from '@farlink/contract/limits.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { jobChannel } from '../../kit/jobs/job.ts';
import type { MovedCommand } from './commit-items.ts';
import type { Tx } from './tx.ts';

/** From this percentage on the gateway installs the file and restarts. */
const installPct = 95;
const checkS = limits.upgradeCheckMinutes * 60;

const { done, failed, expired, cancelled } = commandState.ids;

/**
 * A reply alone is not a success: it is checked against the version of the last hello. A failure after a reboot belongs to the new version;
 * any other one to the download or installation.
 */
const replySql = `
  with reported as (
    select * from json_to_recordset($1::json) as s(id text, state smallint, progress smallint, code integer, err text)
  ), judged as (
    select u.id, s.progress, s.err, d.version as has,
      case
        when s.state < ${done} and s.progress >= ${installPct} then 'verifying'
        when s.state < ${done} then u.state
        when s.state = ${done} and version_key(d.version) = u.version_key then 'success'
        when s.state = ${done} then 'verifying'
        when s.state = ${failed} and s.code = ${fileTaskIds.install_failed} and d.boot is distinct from u.boot then 'rolled_back'
        when s.state = ${cancelled} then 'cancelled'
        else 'failed'
      end as state,
      case
        when s.state <= ${done} then null
        when s.state = ${expired} then 'timeout'
        when s.state = ${cancelled} then 'ended'
        when s.code = ${fileTaskIds.install_failed} and d.boot is distinct from u.boot then 'failed_boot'
        when s.code = ${fileTaskIds.install_failed} then 'failed_install'
        when s.code = ${fileTaskIds.download_failed} then 'failed_download'
        when s.code = ${fileTaskIds.aborted} then 'failed_abort'
        when s.code = ${fileTaskIds.missing} then 'failed_missing'
        when s.code = ${fileTaskIds.corrupt} then 'failed_corrupt'
        when s.err = 'no such version' then 'failed_version'
        else 'failed_other'
      end as reason
    from upgrade_device u join reported s on s.id = u.command_id join device d on d.id = u.device_id
    where u.state in ('sending', 'verifying')
    order by u.id for no key update of u
  )
  update upgrade_device u set state = j.state, reason = j.reason, progress = j.progress,
    detail = case j.reason when 'failed_boot' then j.has when 'failed_other' then j.err end,
    verify_by = case when j.state = 'verifying' then $2 + ${checkS} else u.verify_by end,
    finish_at = case when j.state in ('sending', 'verifying') then null else $2 end
  from judged j where u.id = j.id
  returning u.id, u.finish_at`;

/** An upgrade succeeds only when the gateway reconnects with the target version. */
const upgradedSql = `
  update upgrade_device u set state = 'success', reason = null, detail = null, progress = 100, finish_at = $2
  from device d where d.id = u.device_id and u.device_id = any($1::bigint[]) and u.state in ('sending', 'verifying')
    and version_key(d.version) = u.version_key
  returning u.id, u.finish_at`;

/** Starts the campaign job when devices have ended. The key prevents a second job for the same device. */
const resumeUpgrades = async (tx: Tx, rows: readonly { id: number; finish_at: number | null }[]) => {
  const ended = rows.filter((row) => row.finish_at !== null);
  const [first] = ended;
  if (!first) return;
  await tx.query(
    'upgrade_go_on',
    `with made as (
       insert into job (kind, payload, key, run_at, lang, create_at) values ('upgrade_sweep', '{}', $1, $2, 'zh', $2) on conflict (key) do nothing returning id
     ) select pg_notify($3, '') from made`,
    [`upgrade_sweep:ended:${first.id}`, tx.now, jobChannel],
  );
};

export const handleUpgrades = async (tx: Tx, moved: readonly MovedCommand[]) => {
  const rows = moved.map(({ id, state, progress, code, err }) => ({ id, state, progress, code, err }));
  await resumeUpgrades(tx, await tx.query('upgrade_answer', replySql, [JSON.stringify(rows), tx.now]));
};

export const confirmUpgrades = async (tx: Tx, devices: readonly number[]) => {
  if (devices.length > 0) await resumeUpgrades(tx, await tx.query('upgrade_greet', upgradedSql, [devices, tx.now]));
};
