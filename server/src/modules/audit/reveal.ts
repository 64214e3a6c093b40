import type { auditRevealCalls as calls, RevealedRow } from '@farlink/contract/audit/audit-reveal.ts';
import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { type SqlBool, sql } from 'kysely';
import { logAccess, requireReason } from '../../domain/audit/access-log.ts';
import { rowOpener } from '../../domain/audit/open-rows.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { titleOf } from './access-log.ts';
import { views } from './page-views.ts';
import { wrappedKeys } from './row-names.ts';
import { hashOf } from './search-conditions.ts';

/** Values in clear of a row of the scope; undefined if there is no such row. */
const clearOf = async ({ db, me, deps }: Ctx, page: AuditPage, id: number): Promise<RevealedRow | undefined> => {
  if (page === 'networkURL' || page === 'terminalAcquisition')
    throw failAt('page', ['该页面没有敏感信息', 'This page has no masked values']);
  const [row] = await views[page].rows(db, me, sql<SqlBool>`a.id = ${id}`).execute();
  if (!row) return undefined;
  if ('identity' in row) return { values: { identity: row.identity } };
  const keys = await wrappedKeys(db, [row.key_id]);
  const opened = rowOpener(deps.config.secretKey)({ ...row, wrapped: keys.get(row.key_id) ?? null });
  const author = 'author' in row ? row.author : null;
  return { ...opened, values: { ...(author !== null && { author }), ...opened.values } };
};

/** The access is logged in the transaction that reads the values. The values are not logged. */
export const revealRow: Handler<typeof calls.reveal> = (ctx, { page, id }) =>
  ctx.deps.db.transaction().execute(async (db) => {
    const inside = { ...ctx, db };
    if (!mayOpen(headOf(page), ctx.me)) throw fail('denied');
    const reason = await requireReason(inside, page);
    const row = await clearOf(inside, page, id);
    if (!row) throw fail('not_found');
    const [zh, en] = titleOf(page);
    await writeLog(db, ctx.me, ctx, {
      module: 'audit',
      action: 'command',
      content: [`查看${zh}第 ${id} 行的明文，原因：${reason}`, `Revealed row ${id} of ${en}: ${reason}`],
    });
    await logAccess(db, {
      me: ctx.me,
      ip: ctx.ip,
      now: ctx.now(),
      page,
      action: 'reveal',
      resource: views[page].resource,
      filters: {},
      filterHash: hashOf({ id }, ctx.deps.config.secretKey),
      rows: 1,
      reason,
    });
    return row;
  });
