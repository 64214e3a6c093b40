import { fileTaskIds as ids } from '@farlink/contract/file/choices.ts';
import { limits } from '@farlink/contract/limits.ts';
import { portalFaultCode, portalSectionName } from '@farlink/gateway/protocol/portal.ts';
import type { ProgressItem, SectionItem, Tx } from './tx.ts';

/** An ended send stays ended: a late report belongs to a section that was replaced or stopped. */
const progressSql = `
  update portal_task t set status = u.code, progress = greatest(t.progress, u.pct), update_at = $2
  from json_to_recordset($1::json) as u(device bigint, rev integer, pct smallint, code smallint)
  where t.device_id = u.device and t.section_rev = u.rev and not t.ended and (t.status <> ${ids.downloaded} or u.code = ${ids.downloaded})`;

export const storePortalProgress = async (tx: Tx, items: readonly ProgressItem[]) => {
  const rows = items.flatMap(({ device, section, body }) => (section === portalSectionName ? [{ device, ...body }] : []));
  // One row for each revision, because an UPDATE uses an arbitrary one of several matching rows.
  const last = new Map(rows.map((row) => [`${row.device} ${row.rev}`, row]));
  if (last.size > 0) await tx.query('portal_progress', progressSql, [JSON.stringify([...last.values()]), tx.now]);
  for (const { device } of last.values()) tx.changed('section', device);
};

const installedSql = `
  update portal_task t set status = ${ids.installed}, progress = 100, ended = true, err = null, update_at = $2
  from json_to_recordset($1::json) as u(device bigint, rev integer)
  where t.device_id = u.device and t.section_rev = u.rev and not t.ended`;

/** The gateway serves the portal if its reply has the hash of the desired section. */
const servedSql = `
  update device d set portal_id = p.id, portal_rev = b.rev, revision = d.revision + 1
  from json_to_recordset($1::json) as u(device bigint, rev integer, h text)
    join desired_section s on s.device_id = u.device and s.section = '${portalSectionName}' and s.rev = u.rev and s.hash = u.h
    left join portal p on p.id = (s.doc ->> 'id')::bigint
    left join portal_bundle b on b.sha256 = s.doc ->> 'h'
  where d.id = u.device and (d.portal_id, d.portal_rev) is distinct from (p.id, b.rev)
  returning d.id`;

/** Codes after which the download is tried again: the link or the file exchange failed, not the bundle. */
const passing: readonly number[] = [ids.download_failed, ids.missing];

const failedSql = `
  update portal_task t set
    status = case when n.again then ${ids.waiting} else u.code end, ended = not n.again, err = u.err, update_at = $2,
    section_rev = case when n.again then null else t.section_rev end,
    send_at = case when n.again then $2::bigint + 60 * 4 ^ (t.tries - 1) else t.send_at end
  from json_to_recordset($1::json) as u(device bigint, rev integer, code smallint, err text, passing boolean), portal_task was,
    lateral (select u.passing and was.tries < ${limits.fileTries} as again) n
  where was.id = t.id and t.device_id = u.device and t.section_rev = u.rev and not t.ended`;

/** Send records and devices follow the echo of the section. */
export const followPortals = async (tx: Tx, items: readonly SectionItem[]) => {
  const echoes = items.filter(({ section, body }) => section === portalSectionName && !body.loc);
  const served = echoes.flatMap(({ device, body }) => (body.ok ? [{ device, rev: body.rev, h: body.h }] : []));
  const failed = echoes.flatMap(({ device, body: { rev, ...body } }) => {
    if (body.ok) return [];
    const code = portalFaultCode(body.err);
    return [{ device, rev, code, err: body.err, passing: passing.includes(code) }];
  });
  if (failed.length > 0) await tx.query('portal_failed', failedSql, [JSON.stringify(failed), tx.now]);
  if (served.length === 0) return;
  await tx.query('portal_installed', installedSql, [JSON.stringify(served), tx.now]);
  for (const { id } of await tx.query<{ id: number }>('portal_served', servedSql, [JSON.stringify(served)])) tx.changed('record', id);
};
