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
import { authQuery, forumQuery, identityQuery, mailQuery } from './joined-rows.ts';
import { views } from './page-views.ts';
import { hashOf } from './search-conditions.ts';

const presentOf = (values: Readonly<Record<string, string | null>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, value]])));

/** Values in clear of a row of the scope; undefined if there is no such row. */
const clearOf = async ({ db, me, deps }: Ctx, page: AuditPage, id: number): Promise<RevealedRow | undefined> => {
  const open = rowOpener(deps.config.secretKey);
  const only = sql<SqlBool>`a.id = ${id}`;
  switch (page) {
    case 'authAccount': {
      const row = await authQuery(db, me, only).executeTakeFirst();
      return row && open(row);
    }
    case 'networkForum': {
      const row = await forumQuery(db, me, only).executeTakeFirst();
      if (!row) return undefined;
      const opened = open(row);
      return { ...opened, values: { ...presentOf({ author: row.author }), ...opened.values } };
    }
    case 'electronicMail': {
      const row = await mailQuery(db, me, only).executeTakeFirst();
      return row && open(row);
    }
    case 'virtualIdentity': {
      const row = await identityQuery(db, me, only).executeTakeFirst();
      return row && { values: { identity: row.identity } };
    }
    default:
      throw failAt('page', ['该页面没有敏感信息', 'This page has no masked values']);
  }
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
