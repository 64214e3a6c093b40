import type { Text } from '@farlink/contract/kit/text.ts';
import { rules } from '@farlink/contract/rules.ts';
import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { dropLogos } from '../../domain/brand/set-logo.ts';
import { endSessionsOfBranch } from '../../domain/end-sessions.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { record } from '../../kit/log/record.ts';
import { wholeVnoBelow } from './update-vno.ts';

/** Rows that must be moved or ended before the VNO is deleted. Staff, roles and prefixes are deleted with it. */
const blockerOf = async (ctx: Ctx, id: number): Promise<Text | undefined> => {
  const count = async (table: 'device' | 'subscriber' | 'recharge_card') => {
    const row = await ctx.db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('agent_id', '=', id)
      .executeTakeFirstOrThrow();
    return row.n;
  };
  const children = await ctx.db
    .selectFrom('agent')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('parent_id', '=', id)
    .executeTakeFirstOrThrow();
  const holding = await ctx.db
    .selectFrom('customer')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('agent_id', '=', id)
    .where('income_used', '>', '0')
    .executeTakeFirstOrThrow();
  const things: [number, string, string][] = [
    [children.n, '个下级VNO', 'child VNOs'],
    [await count('device'), '台设备', 'devices'],
    [await count('subscriber'), '个用户', 'users'],
    [await count('recharge_card'), '张充值卡', 'recharge cards'],
    [holding.n, '名员工未交的现金', 'employees with cash that is not handed over'],
  ];
  const left = things.filter(([n]) => n > 0);
  if (left.length === 0) return undefined;
  return [left.map(([n, zh]) => `${n}${zh}`).join('、'), left.map(([n, , en]) => `${n} ${en}`).join(', ')];
};

export const removeVno: Handler<typeof calls.remove> = async (ctx, { id, confirm_name }) => {
  const row = await wholeVnoBelow(ctx, id);
  const { text } = rules.vno_name_match('name');
  if (confirm_name !== row.name && typeof text !== 'function') throw failAt('confirm_name', text);
  const left = await blockerOf(ctx, id);
  if (left) throw fail('vno_in_use', { args: [left] });
  await ctx.db.insertInto('agent_past').values({ id: row.id, path: row.path, name: row.name }).execute();
  await ctx.db.updateTable('agent').set({ prefix_id: null }).where('id', '=', id).execute();
  await endSessionsOfBranch(ctx.db, row.path);
  await ctx.db.deleteFrom('customer').where('agent_id', '=', id).execute();
  await ctx.db.deleteFrom('agent').where('id', '=', id).execute();
  await dropLogos(ctx, [row.logo, row.device_logo]);
  const { device_password: _, device_login: __, ...before } = row;
  record(ctx, [`删除VNO ${row.name}`, `Deleted VNO ${row.name}`], { before });
};
