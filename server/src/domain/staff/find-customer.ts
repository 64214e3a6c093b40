import type { RawBuilder, SqlBool } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { outranks, sessionInfoOf } from '../rights.ts';
import { collectsMore } from './collection-limit.ts';

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
  // Access to the main account of a VNO is a separate right.
  if (row.kind === 'vno') return row;
  if (outranks(ctx.me, (await sessionInfoOf(ctx.db, row.id, null)).rights)) throw fail('role_exceeds');
  if (await collectsMore(ctx, row.income_limit)) throw fail('role_exceeds');
  return row;
};

export type CustomerRow = Awaited<ReturnType<typeof findCustomer>>;
