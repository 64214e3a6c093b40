import type { BillChart, BillSum, billCalls } from '@farlink/contract/finance/bill.ts';
import { cardBill, counterBill, onlineBill } from '@farlink/contract/finance/bill-lists.ts';
import { isEmpty } from '@farlink/contract/kit/check.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { cardBills, counterBills, onlineBills } from '../../domain/bill/bill-query.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { filterSql } from '../../kit/list/conditions.ts';

const day = 86_400;
const defaultDays = 30;
const maxShown = 6;
/** An accounting day starts at midnight UTC+8. */
const chinaS = 8 * 3600;
const dayLabel = (n: number) => new Date(n * day * 1000).toISOString().slice(0, 10);

interface Source {
  readonly query: Expression<unknown>;
  readonly resource: Resource;
  readonly counts?: RawBuilder<SqlBool>;
}

/** Requested range, or the last days up to now. The default starts at the beginning of a day, so no bar is partial. */
const rangeOf = (filters: Values, now: number) => {
  const end_at = typeof filters.create_at_end === 'number' ? filters.create_at_end : now;
  const start = filters.create_at_start;
  const start_at = typeof start === 'number' ? start : Math.floor((end_at - (defaultDays - 1) * day + chinaS) / day) * day - chinaS;
  return { start_at, end_at };
};

interface ChartRow {
  /** Grouping bits: one for each of day, VNO and package that the row is not grouped by. */
  readonly grouping_bits: number;
  readonly day: number | null;
  readonly vno: string | null;
  readonly package: string | null;
  readonly income: string;
  readonly net_income: string;
}
const groupings = { day: 0b011, vno: 0b101, package: 0b110 } as const;

const largest = (sums: readonly BillSum[]) => sums.toSorted((a, b) => Number(cents(b.income) - cents(a.income))).slice(0, maxShown);

/** Reads the bills once for all three groupings. */
const chartOf = async (ctx: Ctx, input: Values, { query, resource, counts }: Source): Promise<BillChart> => {
  const filters = Object.fromEntries(Object.entries(input).filter(([, value]) => !isEmpty(value)));
  const range = rangeOf(filters, ctx.now());
  const ranged = { ...filters, create_at_start: range.start_at, create_at_end: range.end_at };
  const { rows } = await sql<ChartRow>`
    select grouping(day, vno_id, package)::int as grouping_bits, day, vno, package,
      sum(income)::numeric(18, 2)::text as income, sum(net_income)::numeric(18, 2)::text as net_income
    from (
      select ((t.create_at + ${chinaS}::int) / ${day}::int)::int as day, t.vno_id, t.agent_name as vno, coalesce(t.package_name, '') as package,
        t.income, t.net_income
      from ${query} as t where ${filterSql(resource, ranged)} and ${counts ?? sql`true`}
    ) as bill
    group by grouping sets ((day), (vno_id, vno), (package))
    order by day`.execute(ctx.db);
  const sumsBy = (name: keyof typeof groupings, label: (row: ChartRow) => string): BillSum[] =>
    rows
      .filter((row) => row.grouping_bits === groupings[name])
      .map((row) => ({ label: label(row), income: row.income, net_income: row.net_income }));
  return {
    ...range,
    days: sumsBy('day', (row) => dayLabel(row.day ?? 0)),
    vnos: largest(sumsBy('vno', (row) => row.vno ?? '')),
    packages: largest(sumsBy('package', (row) => row.package ?? '')),
  };
};

export const chartCounter: Handler<typeof billCalls.chartCounter> = (ctx, input) =>
  chartOf(ctx, input, { query: counterBills(ctx.db, ctx), resource: counterBill });
export const chartOnline: Handler<typeof billCalls.chartOnline> = (ctx, input) =>
  chartOf(ctx, input, { query: onlineBills(ctx.db, ctx), resource: onlineBill, counts: sql<SqlBool>`t.state = 'paid'` });
export const chartCard: Handler<typeof billCalls.chartCard> = (ctx, input) =>
  chartOf(ctx, input, { query: cardBills(ctx.db, ctx), resource: cardBill });
