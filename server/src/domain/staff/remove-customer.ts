import { cents } from '@farlink/contract/kit/money.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { record } from '../../kit/log/record.ts';
import { endSessionsOfCustomer } from '../end-sessions.ts';
import type { CustomerRow } from './find-customer.ts';
import { releaseSeat } from './license-seat.ts';

export const removeCustomer = async (ctx: Ctx, row: CustomerRow) => {
  if (row.id === ctx.me.uid) throw fail('customer_self');
  if (row.is_owner) throw fail('owner_account');
  if (cents(row.income_used) > 0n) throw fail('holds_cash', { args: [row.income_used] });
  await releaseSeat(ctx, row.license_id);
  await endSessionsOfCustomer(ctx.db, row.id);
  await ctx.db.deleteFrom('customer').where('id', '=', row.id).execute();
  const { password_hash: _, ...before } = row;
  record(ctx, [`删除账号 ${row.username}`, `Deleted account ${row.username}`], { before });
};
