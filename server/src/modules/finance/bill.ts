import { billCalls as calls, cardBill, counterBill, onlineBill } from '@farlink/contract/finance/bill.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { openingBill, userBillCalls } from '@farlink/contract/user/user-bill.ts';
import { sql } from 'kysely';
import {
  cardBills,
  cardEntries,
  counterBills,
  counterEntries,
  onlineBills,
  onlineOrders,
  openingBills,
  openingEntries,
} from '../../domain/bill/bill-query.ts';
import { checkLedger } from '../../domain/ledger/check-ledger.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { ExportBuilders } from '../../kit/export/export-job.ts';
import { requestExport } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { filterSql, pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

export const listCounterBills: Handler<typeof calls.counter> = (ctx, input) =>
  pageOf(ctx.db, calls.counter, input, counterBills(ctx.db, ctx, input.user_id), counterEntries(ctx.db, ctx, input.user_id));

export const listCardBills: Handler<typeof calls.card> = (ctx, input) =>
  pageOf(ctx.db, calls.card, input, cardBills(ctx.db, ctx), cardEntries(ctx.db, ctx));

export const listOpeningBills: Handler<typeof userBillCalls.list> = (ctx, input) =>
  pageOf(ctx.db, userBillCalls.list, input, openingBills(ctx.db, ctx), openingEntries(ctx.db, ctx));

/** An unpaid order is not income yet, so only paid orders are summed. */
const onlineSums = async (ctx: Ctx, filters: Values) => {
  const { sums: columns = [], ...resource } = onlineBill;
  const sums = columns.map((name) => sql`coalesce(sum(${sql.ref(`t.${name}`)}), 0)::numeric(18, 2)::text as ${sql.ref(name)}`);
  const paid = sql<Record<string, string>>`select ${sql.join(sums)} from ${onlineBills(ctx.db, ctx)} as t
    where t.state = 'paid' and ${filterSql(resource, filters)}`;
  return (await paid.execute(ctx.db)).rows[0] ?? {};
};

export const listOnlineBills: Handler<typeof calls.online> = async (ctx, input) => {
  if (input.sums === 'only') return { total: 0, list: [], sums: await onlineSums(ctx, input.filters) };
  const { sums: _, ...resource } = onlineBill;
  const [listing, sums] = await Promise.all([
    pageOf(ctx.db, { ...calls.online, resource }, input, onlineBills(ctx.db, ctx), onlineOrders(ctx.db, ctx)),
    input.sums === 'later' ? undefined : onlineSums(ctx, input.filters),
  ]);
  return { ...listing, ...(sums && { sums }) };
};

export const checkBooks: Handler<typeof calls.check> = (ctx) => checkLedger(ctx.db, inScope(ctx.me, 'ledger_account.agent_id'));

export const exportCounterBills: Handler<typeof calls.exportCounter> = (ctx, input) =>
  requestExport(ctx, { call: calls.exportCounter, title: ['柜台账单', 'counter bills'], format: input.format, input });
export const exportOnlineBills: Handler<typeof calls.exportOnline> = (ctx, input) =>
  requestExport(ctx, { call: calls.exportOnline, title: ['在线账单', 'online bills'], format: input.format, input });
export const exportCardBills: Handler<typeof calls.exportCard> = (ctx, input) =>
  requestExport(ctx, { call: calls.exportCard, title: ['充值卡账单', 'card bills'], format: input.format, input });
export const exportOpeningBills: Handler<typeof userBillCalls.export> = (ctx, input) =>
  requestExport(ctx, { call: userBillCalls.export, title: ['开户账单', 'account-opening bills'], format: input.format, input });

export const billExports: ExportBuilders = {
  [operateKey(calls.exportCounter)]: (deps, reader) => ({ query: counterBills(deps.db, reader), resource: counterBill }),
  [operateKey(calls.exportOnline)]: (deps, reader) => ({ query: onlineBills(deps.db, reader), resource: onlineBill }),
  [operateKey(calls.exportCard)]: (deps, reader) => ({ query: cardBills(deps.db, reader), resource: cardBill }),
  [operateKey(userBillCalls.export)]: (deps, reader) => ({ query: openingBills(deps.db, reader), resource: openingBill }),
};
