import { auditAccessLogCalls as calls } from '@farlink/contract/audit/audit-access-log.ts';
import { type AuditPage, auditPage } from '@farlink/contract/audit/choices.ts';
import { headOf } from '@farlink/contract/menu.ts';
import { mayOpen } from '@farlink/contract/rights.ts';
import { sql } from 'kysely';
import { reasonOfSession } from '../../domain/audit/access-log.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { actedBy } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

const refuseClosed = ({ me }: Ctx, page: AuditPage) => {
  if (!mayOpen(headOf(page), me)) throw fail('denied');
};

export const titleOf = (page: AuditPage) => auditPage.find(({ id }) => id === page)?.label ?? ([page, page] as const);

export const readReason: Handler<typeof calls.readReason> = async (ctx, { page }) => {
  refuseClosed(ctx, page);
  return { reason: await reasonOfSession(ctx, page) };
};

/** A later reason replaces the first. Both are in the operator log. */
export const giveReason: Handler<typeof calls.giveReason> = async (ctx, { page, reason }) => {
  refuseClosed(ctx, page);
  await ctx.db
    .insertInto('audit_reason')
    .values({ session_id: ctx.sessionId, page, reason, create_at: ctx.now() })
    .onConflict((conflict) => conflict.columns(['session_id', 'page']).doUpdateSet({ reason, create_at: ctx.now() }))
    .execute();
  const [zh, en] = titleOf(page);
  record(ctx, [`填写查看${zh}的原因：${reason}`, `Entered the reason to view ${en}: ${reason}`]);
};

/** Accesses by operators of the branch. */
export const listAccesses: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('audit_look')
      .leftJoin('agent', 'agent.id', 'audit_look.agent_id')
      .select([
        'audit_look.id',
        'audit_look.username',
        'audit_look.name',
        'audit_look.page as page_key',
        'audit_look.action',
        'audit_look.row_count',
        'audit_look.look_count',
        'audit_look.reason',
        'audit_look.ip',
        'audit_look.create_at',
        'audit_look.agent_id as vno_id',
        'agent.name as agent_name',
        actedBy(ctx, 'audit_look.acted_by').as('acted_by'),
        sql<string>`${sql.ref(`audit_look.condition_${ctx.lang}`)}`.as('condition'),
      ])
      .where(inScope(ctx.me, 'audit_look.agent_id')),
    ctx.db.selectFrom('audit_look').where(inScope(ctx.me, 'audit_look.agent_id')),
  );
