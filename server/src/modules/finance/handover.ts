import { type ClerkOption, handoverCalls as calls, handover } from '@farlink/contract/finance/handover.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import { lookupLimit } from '@farlink/contract/kit/lookup.ts';
import { cents, priceText, yuan } from '@farlink/contract/kit/money.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { type Insertable, type Selectable, sql } from 'kysely';
import type { CashHandoverTable, CustomerTable } from '../../db/tables.ts';
import { brandOf, logoUrl } from '../../domain/brand/brand.ts';
import { nextNumber } from '../../domain/ledger/document-number.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import type { ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { requestFilled } from '../../kit/export/export-task.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorName } from '../../kit/list/operator-name.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nameObject, record } from '../../kit/log/record.ts';
import { listWithSums } from './list-with-sums.ts';

const texts = {
  held: ['持有现金 {0}', 'Cash held {0}'],
  left: ['交款后剩余 {0}', 'Left after the hand-over {0}'],
  limit: ['收款上限 {0}，交款后还可收现金 {1}', 'Collection limit {0}; {1} can be collected after the hand-over'],
  tooMuch: ['交款人只持有现金{0}', 'This colleague holds only {0} in cash'],
} as const satisfies Record<string, Text>;

const handovers = (db: Db, reader: JobOwner) =>
  db
    .selectFrom('cash_handover')
    .leftJoin('agent', 'agent.id', 'cash_handover.agent_id')
    .select([
      'cash_handover.id',
      'cash_handover.receipt_no',
      'cash_handover.amount',
      'cash_handover.cash_before',
      sql<string>`cash_handover.cash_after`.as('cash_after'),
      'cash_handover.remark',
      'cash_handover.create_at',
      'cash_handover.agent_id as vno_id',
      'agent.name as agent_name',
      'cash_handover.clerk',
      sql<boolean>`cash_handover.amount > 0 and not exists (select from cash_handover r where r.reverses_id = cash_handover.id)`.as(
        'is_reversible',
      ),
      operatorName(reader, 'cash_handover.receiver', 'cash_handover.receiver_agent_id').as('receiver'),
    ])
    .where(inScope(reader.me, 'cash_handover.agent_id'));

export const listHandovers: Handler<typeof calls.list> = (ctx, input) => listWithSums(ctx, calls.list, input, handovers(ctx.db, ctx));

/** Staff of the branch, without the account of the session and the operator who acts as it. */
const clerks = ({ db, me }: Ctx) =>
  db
    .selectFrom('customer')
    .innerJoin('agent', 'agent.id', 'customer.agent_id')
    .select(['customer.id', 'customer.name', 'customer.username', 'customer.agent_id', 'customer.income_used', 'customer.income_limit'])
    .select('agent.name as agent_name')
    .where(inScope(me, 'customer.agent_id'))
    .where('customer.id', '<>', me.uid)
    .$if(me.acted_by !== null, (q) => q.where('customer.username', '<>', me.acted_by ?? ''));

export const clerkOptions: Handler<typeof calls.clerks> = async (ctx) => {
  const holders = clerks(ctx).where('customer.income_used', '>', '0').orderBy('customer.name').orderBy('customer.id');
  const rows = await holders.limit(lookupLimit).execute();
  const named = rows.map((row): [string, ClerkOption] => [
    String(row.id),
    { name: `${row.name} (${row.username}) · ${priceText(row.income_used)} · ${row.agent_name}` },
  ]);
  return Object.fromEntries(named);
};

export const quoteHandover: Handler<typeof calls.quote> = async (ctx, { customer_id, amount }) => {
  const clerk = await clerks(ctx).where('customer.id', '=', customer_id).executeTakeFirst();
  if (!clerk) throw fail('not_found');
  const held = cents(clerk.income_used);
  const left = held - (amount ? cents(amount) : held);
  const lines: Text[] = [fill(texts.held, priceText(held)), fill(texts.left, priceText(left))];
  if (clerk.income_limit !== null)
    lines.push(fill(texts.limit, priceText(clerk.income_limit), priceText(cents(clerk.income_limit) - left)));
  return { notes: lines.map((line) => ({ text: say(line, ctx.lang) })), values: { amount: yuan(held) } };
};

type Clerk = Pick<Selectable<CustomerTable>, 'id' | 'name' | 'agent_id'>;
type Amounts = Pick<Insertable<CashHandoverTable>, 'amount' | 'cash_before' | 'remark' | 'reverses_id'>;

const insertHandover = (ctx: Ctx, clerk: Clerk, amounts: Amounts) =>
  ctx.db
    .insertInto('cash_handover')
    .values({
      receipt_no: nextNumber(clerk.agent_id, 'handover', ctx.now()),
      agent_id: clerk.agent_id,
      customer_id: clerk.id,
      clerk: clerk.name,
      receiver_id: ctx.me.uid,
      receiver_agent_id: ctx.me.agent_id,
      receiver: ctx.me.name,
      create_at: ctx.now(),
      ...amounts,
    })
    .returning(['id', 'receipt_no'])
    .executeTakeFirstOrThrow();

/** The receiver enters the hand-over. From then on the amount no longer counts against the limit of the clerk. */
export const receiveCash: Handler<typeof calls.create> = async (ctx, { customer_id, amount, remark }) => {
  const clerk = await clerks(ctx).where('customer.id', '=', customer_id).executeTakeFirst();
  if (!clerk) throw failAt('customer_id', ['交款人不存在', 'No such colleague']);
  nameObject(ctx, clerk.username);
  const held = await ctx.db
    .updateTable('customer')
    .set({ income_used: sql`income_used - ${amount}::numeric` })
    .where('id', '=', clerk.id)
    .where('income_used', '>=', amount)
    .returning(sql<string>`(income_used + ${amount}::numeric)::text`.as('before'))
    .executeTakeFirst();
  if (!held) throw failAt('amount', fill(texts.tooMuch, priceText(clerk.income_used)));
  const made = await insertHandover(ctx, clerk, { amount, cash_before: held.before, remark: remark ?? null });
  record(ctx, [`收到 ${clerk.username} 的现金交款 ${amount}`, `Received ${amount} in cash from ${clerk.username}`], {
    before: { income_used: held.before },
    after: { income_used: yuan(cents(held.before) - cents(amount)), receipt_no: made.receipt_no, amount },
  });
  return made;
};

/** A hand-over that was entered wrongly: the clerk holds the amount again. A unique key prevents a second reversal. */
export const reverseHandover: Handler<typeof calls.reverse> = async (ctx, { id, remark }) => {
  const row = await handovers(ctx.db, ctx)
    .select('cash_handover.customer_id')
    .where('cash_handover.id', '=', id)
    .forUpdate('cash_handover')
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.receipt_no);
  if (!row.is_reversible) throw fail('wrong_state');
  const clerk = await clerks(ctx)
    .where('customer.id', '=', row.customer_id ?? 0)
    .executeTakeFirst();
  if (!clerk) throw fail('denied');
  const { before } = await ctx.db
    .updateTable('customer')
    .set({ income_used: sql`income_used + ${row.amount}::numeric` })
    .where('id', '=', clerk.id)
    .returning(sql<string>`(income_used - ${row.amount}::numeric)::text`.as('before'))
    .executeTakeFirstOrThrow();
  const made = await insertHandover(ctx, clerk, { amount: yuan(-cents(row.amount)), cash_before: before, remark, reverses_id: id });
  record(ctx, [`冲正交款 ${row.receipt_no}`, `Reversed hand-over ${row.receipt_no}`], {
    before: { income_used: before },
    after: { income_used: yuan(cents(before) + cents(row.amount)), receipt_no: made.receipt_no, remark },
  });
  return made;
};

export const readHandover: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await handovers(ctx.db, ctx).where('cash_handover.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const { name, logo } = await brandOf(ctx.db, row.vno_id);
  return { ...row, agent_name: name, agent_logo: logoUrl(logo) };
};

export const exportHandovers: Handler<typeof calls.export> = (ctx, input) =>
  requestFilled(ctx, {
    call: calls.export,
    title: ['现金交款', 'hand-overs of cash'],
    format: input.format,
    input,
    query: handovers(ctx.db, ctx),
  });

export const handoverExports: ExportBuilders = {
  [operateKey(calls.export)]: (deps, reader) => ({ query: handovers(deps.db, reader), resource: handover }),
};
