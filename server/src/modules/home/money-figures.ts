import type { IncomeFigures, OrderFigures, Range } from '@farlink/contract/home/summary.ts';
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { counterEntries, onlineBills } from '../../domain/bill/bill-query.ts';
import type { Ctx } from '../../kit/ctx.ts';

const week = 7 * 86_400;

/** Today so far, and the same hours of the same weekday last week. */
const rangesOf = (now: number) => {
  const today = { start_at: dayStart(now), end_at: now };
  return { today, before: { start_at: today.start_at - week, end_at: now - week } };
};

const incomeOf = async (ctx: Ctx, range: Range) => {
  const sum = await counterEntries(ctx.db, ctx)
    .select(sql<string>`coalesce(sum(ledger_entry.net_income), 0)::numeric(18, 2)::text`.as('net_income'))
    .where('ledger_entry.create_at', '>=', range.start_at)
    .where('ledger_entry.create_at', '<=', range.end_at)
    .executeTakeFirstOrThrow();
  return { ...range, net_income: sum.net_income };
};

export const readIncome = async (ctx: Ctx): Promise<IncomeFigures> => {
  const { today, before } = rangesOf(ctx.now());
  return { today: await incomeOf(ctx, today), before: await incomeOf(ctx, before) };
};

/** All orders are counted, but only paid ones are income, as in the list. */
const ordersOf = async (ctx: Ctx, range: Range) => {
  const { rows } = await sql<{ total: number; income: string }>`select count(*)::int as total,
      coalesce(sum(t.income) filter (where t.state = 'paid'), 0)::numeric(18, 2)::text as income
    from ${onlineBills(ctx.db, ctx)} as t where t.create_at between ${range.start_at} and ${range.end_at}`.execute(ctx.db);
  return { ...range, ...(rows[0] ?? { total: 0, income: '0.00' }) };
};

export const readOrders = async (ctx: Ctx): Promise<OrderFigures> => {
  const { today, before } = rangesOf(ctx.now());
  return { today: await ordersOf(ctx, today), before: await ordersOf(ctx, before) };
};
