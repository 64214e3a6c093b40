import { nasDetailCalls as calls } from '@farlink/contract/advanced/nas-detail.ts';
import { say } from '@farlink/contract/kit/text.ts';
import type { RejectReason } from '@farlink/contract/user/choices.ts';
import { sql } from 'kysely';
import { coaText } from '../../domain/radius/coa-text.ts';
import { requireNas } from '../../domain/radius/find-nas.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nasQuery } from './nas.ts';

const lastCoa = async (ctx: Ctx, id: number) => {
  const task = await ctx.db
    .selectFrom('coa_task')
    .select(['state', 'error_cause', 'finish_at', 'create_at'])
    .where('nas_id', '=', id)
    .where('state', 'in', ['acked', 'refused', 'no_answer'])
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!task) return null;
  const { state, error_cause, finish_at, create_at } = task;
  return { is_acked: state === 'acked', text: say(coaText(state, error_cause), ctx.lang), at: finish_at ?? create_at };
};

export const readNas: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await nasQuery(ctx).where('nas.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const { authPort: auth_port, acctPort: acct_port, radsecPort: radsec_port } = ctx.deps.config.radius;
  const { publicUrl } = ctx.deps.config;
  const host = publicUrl ? new URL(publicUrl).hostname : '';
  return { ...row, server: { host, auth_port, acct_port, radsec_port }, coa: await lastCoa(ctx, id) };
};

/** An account that has moved to a VNO outside the scope is not named. */
const ownAccount = (ctx: Ctx) => inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id');

export const listNasRejections: Handler<typeof calls.rejections> = async (ctx, input) => {
  await requireNas(ctx, input.id);
  const query = ctx.db
    .selectFrom('login_rejection')
    .leftJoin('subscriber', (join) => join.onRef('subscriber.id', '=', 'login_rejection.subscriber_id').on(ownAccount(ctx)))
    .select([
      'login_rejection.id',
      'login_rejection.create_at',
      'subscriber.account',
      sql<RejectReason>`login_rejection.reason`.as('reason'),
      'login_rejection.mac',
    ])
    .where('login_rejection.nas_id', '=', input.id);
  return pageOf(ctx.db, calls.rejections, input, query);
};

export const listNasCoa: Handler<typeof calls.coa> = async (ctx, input) => {
  await requireNas(ctx, input.id);
  const query = ctx.db
    .selectFrom('coa_task')
    .innerJoin('online_session', 'online_session.id', 'coa_task.session_id')
    .leftJoin('subscriber', (join) => join.onRef('subscriber.id', '=', 'online_session.subscriber_id').on(ownAccount(ctx)))
    .select([
      'coa_task.id',
      'coa_task.create_at',
      'subscriber.account',
      'coa_task.kind',
      'coa_task.state as result',
      'coa_task.error_cause',
      'coa_task.tries',
      'coa_task.finish_at',
    ])
    .where('coa_task.nas_id', '=', input.id);
  const page = await pageOf(ctx.db, calls.coa, input, query);
  return {
    ...page,
    list: page.list.map(({ error_cause, result, ...row }) => ({ ...row, result: say(coaText(result, error_cause), ctx.lang) })),
  };
};
