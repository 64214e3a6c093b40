import { billCalls as calls } from '@farlink/contract/finance/bill.ts';
import { cardBill, counterBill, onlineBill } from '@farlink/contract/finance/bill-lists.ts';
import { isEmpty } from '@farlink/contract/kit/check.ts';
import { type Endpoint, type Listing, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { openingBill, userBillCalls } from '@farlink/contract/user/user-bill.ts';
import type { SelectQueryBuilder } from 'kysely';
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
import { type BillList, hasStoredSums, sumBills } from '../../domain/bill/bill-sums.ts';
import { checkLedger } from '../../domain/ledger/check-ledger.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { ExportBuilders } from '../../kit/export/export-job.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { type ListInput, withSums } from '../../kit/list/listing.ts';
import { operatorSearch } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';

interface BillQueries<DB, TB extends keyof DB, Row, WholeDB, Whole extends keyof WholeDB, WholeRow> {
  readonly list: BillList;
  readonly bills: SelectQueryBuilder<DB, TB, Row>;
  readonly whole: SelectQueryBuilder<WholeDB, Whole, WholeRow>;
}

interface BillInput extends ListInput {
  readonly user_id?: number | null | undefined;
}

/** One page, with sums that read whole months from `bill_month`. */
const listBills = async <DB, TB extends keyof DB, Row, WholeDB, Whole extends keyof WholeDB, WholeRow>(
  ctx: Ctx,
  call: Endpoint & { readonly resource: Resource },
  input: BillInput,
  { list, bills: all, whole }: BillQueries<DB, TB, Row, WholeDB, Whole, WholeRow>,
): Promise<Listing<Row>> => {
  const { resource } = call;
  const column = list === 'online' ? 'pay_order.operator' : 'ledger_entry.operator';
  const bills = all.where(operatorSearch(ctx, { column, resource, filter: 'operator', filters: input.filters }));
  const query = { list, bills, resource, filters: input.filters, isOfUser: !isEmpty(input.user_id) };
  const page = () => pageOf(ctx.db, call, input, bills, whole);
  const listing = await withSums(input, page, () => sumBills(ctx.db, ctx, query));
  const isOnRequest = input.sums === 'later' && listing.capped === true && !hasStoredSums(ctx, query);
  return { ...listing, ...(isOnRequest && { sums_on_request: true }) };
};

export const listCounterBills: Handler<typeof calls.counter> = (ctx, input) => {
  const bills = counterBills(ctx.db, ctx, input.user_id);
  return listBills(ctx, calls.counter, input, { list: 'counter', bills, whole: counterEntries(ctx.db, ctx, input.user_id) });
};

export const listCardBills: Handler<typeof calls.card> = (ctx, input) =>
  listBills(ctx, calls.card, input, { list: 'card', bills: cardBills(ctx.db, ctx), whole: cardEntries(ctx.db, ctx) });

export const listOpeningBills: Handler<typeof userBillCalls.list> = (ctx, input) =>
  listBills(ctx, userBillCalls.list, input, { list: 'open', bills: openingBills(ctx.db, ctx), whole: openingEntries(ctx.db, ctx) });

export const listOnlineBills: Handler<typeof calls.online> = (ctx, input) =>
  listBills(ctx, calls.online, input, { list: 'online', bills: onlineBills(ctx.db, ctx), whole: onlineOrders(ctx.db, ctx) });

export const checkBooks: Handler<typeof calls.check> = (ctx) => checkLedger(ctx.db, inScope(ctx.me, 'ledger_account.agent_id'));

export const exportCounterBills: Handler<typeof calls.exportCounter> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.exportCounter,
    title: ['柜台账单', 'counter bills'],
    format: input.format,
    input,
    query: counterBills(ctx.db, ctx),
  });
export const exportOnlineBills: Handler<typeof calls.exportOnline> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.exportOnline,
    title: ['在线账单', 'online bills'],
    format: input.format,
    input,
    query: onlineBills(ctx.db, ctx),
  });
export const exportCardBills: Handler<typeof calls.exportCard> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.exportCard,
    title: ['充值卡账单', 'card bills'],
    format: input.format,
    input,
    query: cardBills(ctx.db, ctx),
  });
export const exportOpeningBills: Handler<typeof userBillCalls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: userBillCalls.export,
    title: ['开户账单', 'account-opening bills'],
    format: input.format,
    input,
    query: openingBills(ctx.db, ctx),
  });

export const billExports: ExportBuilders = {
  [operateKey(calls.exportCounter)]: (deps, reader) => ({ query: counterBills(deps.db, reader), resource: counterBill }),
  [operateKey(calls.exportOnline)]: (deps, reader) => ({ query: onlineBills(deps.db, reader), resource: onlineBill }),
  [operateKey(calls.exportCard)]: (deps, reader) => ({ query: cardBills(deps.db, reader), resource: cardBill }),
  [operateKey(userBillCalls.export)]: (deps, reader) => ({ query: openingBills(deps.db, reader), resource: openingBill }),
};
