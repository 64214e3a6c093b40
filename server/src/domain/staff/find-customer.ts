import type { RawBuilder, SqlBool } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { outranks, sessionInfoOf } from '../rights.ts';
import { collectsMore } from './collection-limit.ts';

/** Refuses an account with more rights than the session. Rows of a VNO account are those of its VNO, whose branch the caller has checked. */
export const refuseOutranking = async (ctx: Ctx, account: { readonly id: number; readonly kind: 'vno' | 'sub' | 'job' }) => {
  const { rights } = await sessionInfoOf(ctx.db, account.id, null);
  const { vno_ids, device_ids } = ctx.me.rights;
  if (outranks(ctx.me, account.kind === 'vno' ? { ...rights, vno_ids, device_ids } : rights)) throw fail('role_exceeds');
};

/**
 * Account that an operator wants to change, locked. Out of scope is `not_found`. An account with more rights is refused, because the
 * operator could reset its password and log in as it.
 */
export const findCustomer = async (ctx: Ctx, id: number, scope: RawBuilder<SqlBool>) => {
  const row = await ctx.db
    .selectFrom('customer')
    .innerJoin('agent', 'agent.id', 'customer.agent_id')
    .selectAll('customer')
    .select('agent.role_id as agent_role_id')
    .where('customer.id', '=', id)
    .where(scope)
    .forUpdate('customer')
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  await refuseOutranking(ctx, row);
  if (row.kind !== 'vno' && (await collectsMore(ctx, row.income_limit))) throw fail('role_exceeds');
  return row;
};

export type CustomerRow = Awaited<ReturnType<typeof findCustomer>>;
