import { auditRevealCalls as calls } from '@farlink/contract/audit/audit-reveal.ts';
import { forgetSubscriber } from '../../domain/audit/forget.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope, seesOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

/** The subscriber in scope. The platform can also name one that was deleted, because its audit data stays. */
const subscriberOf = async ({ db, me }: Ctx, id: number) => {
  const found = await db
    .selectFrom('subscriber')
    .select(['agent_id', 'account', 'device_id'])
    .where('id', '=', id)
    .where(inScope(me, 'subscriber.agent_id', 'subscriber.device_id'))
    .executeTakeFirst();
  if (found) return found;
  if (me.agent_level === 0 && seesOwnVno(me)) {
    const deleted = await db.selectFrom('subscriber').select('id').where('id', '=', id).executeTakeFirst();
    const key = await db.selectFrom('audit_key').select('id').where('subject', '=', `s:${id}`).executeTakeFirst();
    if (!deleted && key) return { agent_id: me.agent_id, account: null, device_id: null };
  }
  throw failAt('subscriber_id', ['请选择有效的用户', 'Select a valid user']);
};

export const forget: Handler<typeof calls.forget> = async (ctx, { subscriber_id, reason }) => {
  const found = await subscriberOf(ctx, subscriber_id);
  const { agent_id } = found;
  const account = found.account ?? `#${subscriber_id}`;
  const keys = await forgetSubscriber(ctx.db, { subscriber_id, ...found });
  await ctx.db
    .insertInto('audit_erasure')
    .values({ agent_id, subscriber_id, account, reason, key_count: keys, operator: ctx.me.name, create_at: ctx.now() })
    .execute();
  record(ctx, [`清除用户 ${account} 的审计敏感信息，原因：${reason}`, `Erased the sealed audit values of user ${account}: ${reason}`], {
    subject: `subscriber:${subscriber_id}`,
    after: { keys },
  });
  return { keys };
};

export const listErasures: Handler<typeof calls.erasures> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.erasures,
    input,
    ctx.db
      .selectFrom('audit_erasure')
      .leftJoin('agent', 'agent.id', 'audit_erasure.agent_id')
      .select([
        'audit_erasure.id',
        'audit_erasure.account',
        'audit_erasure.reason',
        'audit_erasure.key_count',
        operatorName(ctx, 'audit_erasure.operator').as('operator'),
        'audit_erasure.create_at',
        'audit_erasure.agent_id as vno_id',
        'agent.name as agent_name',
      ])
      .where(inScope(ctx.me, 'audit_erasure.agent_id')),
  );
