import { auditHoldCalls as calls } from '@farlink/contract/audit/audit-hold.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { refuseDeviceScope } from '../../kit/list/device-scope.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

export const listHolds: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('audit_hold')
      .leftJoin('agent', 'agent.id', 'audit_hold.agent_id')
      .select([
        'audit_hold.id',
        'audit_hold.account',
        'audit_hold.from_at',
        'audit_hold.to_at',
        'audit_hold.reason',
        operatorName(ctx, 'audit_hold.creator').as('creator'),
        'audit_hold.create_at',
        'audit_hold.released_at',
        'audit_hold.agent_id as vno_id',
        'agent.name as agent_name',
        sql<'held' | 'released'>`case when audit_hold.released_at is null then 'held' else 'released' end`.as('state'),
      ])
      .where(inScope(ctx.me, 'audit_hold.agent_id')),
  );

/** VNO of the hold: the named one, or the own one. */
const vnoOf = async (ctx: Ctx, id: number | null | undefined): Promise<number> => {
  const { db, me } = ctx;
  refuseDeviceScope(ctx);
  const vno = await db
    .selectFrom('agent')
    .select('id')
    .where('id', '=', id ?? me.agent_id)
    .where(inScope(me, 'agent.id'))
    .executeTakeFirst();
  if (!vno) throw failAt('vno_id', ['请选择有效的VNO', 'Select a valid VNO']);
  return vno.id;
};

/** The subscriber of an account: of the VNO, or of the branch if no VNO is named. */
const subscriberOf = async ({ db, me }: Ctx, account: string, vnoId: number | null | undefined) => {
  const found = await db
    .selectFrom('subscriber')
    .select(['id', 'account', 'agent_id'])
    .where(sql<boolean>`lower(account) = ${account.toLowerCase()}`)
    .where(inScope(me, 'subscriber.agent_id', 'subscriber.device_id'))
    .$if(typeof vnoId === 'number', (query) => query.where('agent_id', '=', Number(vnoId)))
    .limit(1)
    .executeTakeFirst();
  if (!found) throw failAt('account', ['账号不存在', 'Account not found']);
  return found;
};

export const createHold: Handler<typeof calls.create> = async (ctx, { vno_id, account, from_at, to_at, reason }) => {
  const subscriber = account ? await subscriberOf(ctx, account, vno_id) : undefined;
  const values = {
    subject: subscriber ? `s:${subscriber.id}` : null,
    account: subscriber?.account ?? null,
    agent_id: subscriber?.agent_id ?? (await vnoOf(ctx, vno_id)),
    from_at,
    to_at: to_at ?? null,
    reason,
  };
  const { id } = await ctx.db
    .insertInto('audit_hold')
    .values({ ...values, creator: ctx.me.name, create_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  const of = subscriber?.account ?? `VNO ${values.agent_id}`;
  record(ctx, [`保全 ${of} 的审计数据，原因：${reason}`, `Put the audit data of ${of} on hold: ${reason}`], { after: { id, ...values } });
  return { id };
};

export const releaseHold: Handler<typeof calls.release> = async (ctx, { id, reason }) => {
  const hold = await lockRow(ctx, 'audit_hold', id, inScope(ctx.me, 'audit_hold.agent_id'));
  if (hold.released_at !== null) throw fail('audit_hold_released');
  await ctx.db.updateTable('audit_hold').set({ released_at: ctx.now(), release_reason: reason }).where('id', '=', id).execute();
  const of = hold.account ?? `VNO ${hold.agent_id}`;
  record(ctx, [`解除 ${of} 的审计数据保全，原因：${reason}`, `Released the hold on the audit data of ${of}: ${reason}`], {
    before: { released_at: null },
    after: { released_at: ctx.now() },
  });
};
