import { limits } from '@farlink/contract/limits.ts';
import { dpiStatus } from '@farlink/contract/traffic/dpi-choices.ts';

const { issued, uploaded, upload_failed: failed } = dpiStatus.ids;

/**
 * Compares the stored file with the hash that the gateway reported. Either can arrive first. $1: ids of tasks, $2: now. An equal
 * hash completes the upload and orders the import. Another hash discards the file, and the next try sends it again.
 */
export const completeUploadsSql = `
  with done as (
    update dpi_task t set status = ${uploaded}, progress = 100, size = t.file_size, command_id = null, tries = 0, err = null,
      next_at = $2::bigint + 60, update_at = $2
    where t.id = any($1::bigint[]) and not t.ended and t.status < ${uploaded} and t.file_sha256 = t.said_sha256
    returning t.id, t.upload_id
  ), claimed as (
    update depot_upload u set claimed = true from done where u.id = done.upload_id
  ), ordered as (
    insert into job (kind, payload, run_at, create_at) select 'dpi_import', json_build_object('id', id), $2, $2 from done returning id
  ), discarded as (
    update dpi_task t set upload_id = null, used_bytes = t.used_bytes + t.file_size, file_size = null, file_sha256 = null, file_key = null,
      said_sha256 = null, command_id = null, err = 'hash', progress = 0, update_at = $2,
      status = case when t.tries < ${limits.fileTries} then ${issued} else ${failed} end, ended = t.tries >= ${limits.fileTries},
      next_at = $2::bigint + 60 * 4 ^ greatest(t.tries - 1, 0)
    where t.id = any($1::bigint[]) and not t.ended and t.status < ${uploaded} and t.file_sha256 <> t.said_sha256
  ) select pg_notify('farlink_job', '') from ordered`;
