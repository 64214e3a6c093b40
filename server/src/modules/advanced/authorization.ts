import { authorizationCalls as calls } from '@farlink/contract/advanced/authorization.ts';
import { errors } from '@farlink/contract/errors.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope, ownScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

const item: Text = ['子工号授权', 'Sub job numbers'];

export const listLicenses: Handler<typeof calls.list> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.list,
    input,
    ctx.db
      .selectFrom('license')
      .innerJoin('agent', 'agent.id', 'license.agent_id')
      .select([
        'license.id',
        'license.code as auth_code',
        'license.total',
        'license.used',
        operatorName<string | null>(ctx, 'license.job_name').as('job_name'),
        'license.activate_at',
        'license.expire_at',
        'agent.name as agent_name',
        'agent.id as vno_id',
        sql<string>`${say(item, ctx.lang)}::text`.as('name'),
        sql<number>`(license.used * 100 / license.total)::int`.as('usage'),
        sql<
          'unused' | 'used' | 'expired'
        >`case when license.expire_at <= ${ctx.now()} then 'expired' when license.activate_at is null then 'unused' else 'used' end`.as(
          'state',
        ),
      ])
      .where(inScope(ctx.me, 'license.agent_id')),
  );

/** The condition is part of the UPDATE, so only one of two concurrent requests can redeem the code. */
export const activateLicense: Handler<typeof calls.activate> = async (ctx, { auth_code, remark }) => {
  const won = await ctx.db
    .updateTable('license')
    .set((eb) => ({ activate_at: ctx.now(), job_name: ctx.me.name, remark: eb.fn.coalesce(eb.val(remark ?? null), 'remark') }))
    .where('code', '=', auth_code)
    .where(ownScope(ctx.me, 'license.agent_id'))
    .where('activate_at', 'is', null)
    .where('expire_at', '>', ctx.now())
    .returning('total')
    .executeTakeFirst();
  if (!won) {
    const known = await ctx.db
      .selectFrom('license')
      .select('activate_at')
      .where('code', '=', auth_code)
      .where(ownScope(ctx.me, 'license.agent_id'))
      .executeTakeFirst();
    const reason = !known ? 'code_unknown' : known.activate_at !== null ? 'code_used' : 'code_expired';
    throw fail(reason, { fields: { auth_code: errors[reason].text } });
  }
  record(ctx, [`激活授权码 ${auth_code}，数量 ${won.total}`, `Activated authorization code ${auth_code} for ${won.total}`], {
    after: { auth_code, total: won.total },
  });
};
