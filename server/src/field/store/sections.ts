import { hasSecrets } from '@farlink/gateway/kit/document.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { SectionReport } from '@farlink/gateway/protocol/message.ts';
import { digestOf } from '@farlink/gateway/protocol/shadow.ts';
import { sealDoc } from '../../config-doc/sealed.ts';
import { moveApplies } from './applies.ts';
import { followReportSections } from './dpi-tasks.ts';
import { followPortals } from './portal-tasks.ts';
import { lastOf, type SectionItem, type Tx } from './tx.ts';

const withSecrets = new Set([...gatewayPages.values()].filter((page) => hasSecrets(page.fields)).map((page) => page.key));

/** Local changes at a gateway may contain secrets, so they are sealed before storage. */
const sealReport = (tx: Tx, section: string, body: SectionReport): SectionReport => {
  const page = body.loc && withSecrets.has(section) ? gatewayPages.get(section) : undefined;
  return page && body.loc ? { ...body, doc: sealDoc(page, body.doc, tx.secretKey) } : body;
};

const keyOf = (i: SectionItem) => `${i.device} ${i.section}`;

/** A later revision wins; within a revision, a local change wins over the echo. */
const supersedes = (next: SectionItem, was: SectionItem) =>
  next.body.rev > was.body.rev || (next.body.rev === was.body.rev && (next.body.loc || !was.body.loc));

const newest = (items: readonly SectionItem[]) => {
  const kept = new Map<string, SectionItem>();
  for (const item of items) {
    const was = kept.get(keyOf(item));
    if (!was || supersedes(item, was)) kept.set(keyOf(item), item);
  }
  return lastOf([...kept.values()], keyOf);
};

const reportSql = `
  insert into reported_section as s (device_id, section, rev, hash, ok, local, doc, err, at)
  select u.device, u.section, u.rev, u.h, u.ok, u.loc, u.doc, u.err, $2
  from json_to_recordset($1::json) as u(device bigint, section text, rev integer, h text, ok boolean, loc boolean, doc jsonb, err text)
  on conflict (device_id, section) do update set rev = greatest(excluded.rev, s.rev), hash = coalesce(excluded.hash, s.hash), ok = excluded.ok,
    local = excluded.local, doc = case when excluded.ok then excluded.doc else s.doc end, err = excluded.err, at = excluded.at
  where excluded.rev > s.rev or (excluded.rev = s.rev and (excluded.local or not s.local)) or (excluded.local and not s.ok)`;

const completeSql = `
  update desired_section s set settled = true
  from json_to_recordset($1::json) as u(device bigint, section text, rev integer)
  where s.device_id = u.device and s.section = u.section and s.rev = u.rev and not s.settled`;

/** Hash of all sections that the gateway has reported, compared with the hash of its next hello. */
const rememberShadows = async (tx: Tx, devices: readonly number[]) => {
  const rows = await tx.query<{ device_id: number; section: string; hash: string }>(
    'shadow_parts',
    'select device_id, section, hash from reported_section where device_id = any($1::bigint[]) and hash is not null',
    [devices],
  );
  const hashesOf = new Map<number, Record<string, string>>(devices.map((id) => [id, {}]));
  for (const { device_id, section, hash } of rows) Object.assign(hashesOf.get(device_id) ?? {}, { [section]: hash });
  const hashes = [...hashesOf].map(([id, sections]) => ({ id, h: digestOf(sections) }));
  await tx.query(
    'shadow_hash',
    'update device d set shadow_hash = u.h, shadow_odd = null from json_to_recordset($1::json) as u(id bigint, h text) where d.id = u.id and d.shadow_hash is distinct from u.h',
    [JSON.stringify(hashes)],
  );
};

export const storeSections = async (tx: Tx, items: readonly SectionItem[]) => {
  const rows = newest(items).map(({ device, section, body }) => ({ device, section, ...sealReport(tx, section, body) }));
  const devices = [...new Set(rows.map(({ device }) => device))];
  await tx.query('report', reportSql, [JSON.stringify(rows), tx.now]);
  // A reply completes its revision, even if a local change follows.
  const replies = items.flatMap(({ device, section, body }) => (body.loc ? [] : [{ device, section, rev: body.rev }]));
  if (replies.length > 0) {
    await tx.query('settle', completeSql, [JSON.stringify(replies)]);
    await moveApplies(tx, replies);
  }
  await followPortals(tx, items);
  await followReportSections(tx, items);
  await rememberShadows(tx, devices);
  for (const { device } of rows) tx.changed('section', device);
};
