import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { Refusal } from '../../kit/fail.ts';
import { auditLedger, checkLedger } from './check-ledger.ts';
import { postEntry } from './post-entry.ts';
import { type Buyer, postSale, type Sale, type Seller } from './post-sale.ts';
import { reverseEntry } from './reverse-entry.ts';

let service: ServiceDeps;
let by: Seller;
let buyer: Buyer;
let n = 0;

beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

beforeEach(async () => {
  const { db } = service.deps;
  const me = await service.addOperator(`clerk${++n}`);
  by = { agent_id: me.agent_id, customer_id: me.uid, operator: me.name };
  const row = subscriberRow({ agent_id: me.agent_id, account: `sailor${n}` });
  buyer = await db.insertInto('subscriber').values(row).returningAll().executeTakeFirstOrThrow();
});

const sale = (more: Partial<Sale> = {}): Sale => ({
  cause: `test:${++n}`,
  channel: 'counter',
  expense_type: 'recharge',
  pay_method: 'cash',
  income: '98.00',
  buyer,
  ...more,
});
const post = (s: Sale) => service.deps.db.transaction().execute((db) => postSale(db, by, s, 1_750_000_000));
const entryOf = (id: number) => service.deps.db.selectFrom('ledger_entry').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const balance = async () =>
  (await service.deps.db.selectFrom('subscriber').select('balance').where('id', '=', buyer.id).executeTakeFirstOrThrow()).balance;
const collected = async () =>
  (await service.deps.db.selectFrom('customer').select('income_used').where('id', '=', by.customer_id).executeTakeFirstOrThrow())
    .income_used;
const limit = (amount: string) =>
  service.deps.db.updateTable('customer').set({ income_limit: amount }).where('id', '=', by.customer_id).execute();

test('a sale is one balanced entry whose bill shows income, discount and refund', async () => {
  const { id, bill_no } = await post(sale({ discount: '8.50', expend: '20.00' }));
  expect(bill_no).toMatch(/^B20250615-\d+-\d{6}$/);
  expect(await entryOf(id)).toMatchObject({
    income: '98.00',
    discount: '8.50',
    expend: '20.00',
    net_income: '69.50',
    account: buyer.account,
  });
  expect(await collected()).toBe('69.50');
  expect(await auditLedger(service.deps.db)).toEqual([]);
  expect(await checkLedger(service.deps.db)).toMatchObject({ balanced: true, off: '0.00' });
});

test('the same cause is booked once, also by concurrent requests', async () => {
  const once = sale();
  const bills = await Promise.all([post(once), post(once), post(once)]);
  expect(new Set(bills.map((b) => b.bill_no)).size).toBe(1);
  expect(bills.filter((b) => b.isNew)).toHaveLength(1);
  expect(await collected()).toBe('98.00');
});

test('a sale into the balance credits the subscriber, and can be reversed once', async () => {
  const { id } = await post(sale({ into: 'balance', income: '50.00' }));
  expect(await balance()).toBe('50.00');
  const back = (db = service.deps.db) => db.transaction().execute((tx) => reverseEntry(tx, by, id, null, 1_750_000_100));
  await back();
  expect(await balance()).toBe('0.00');
  expect((await entryOf(id)).state).toBe('revoked');
  await expect(back()).rejects.toBeInstanceOf(Refusal);
  expect(await auditLedger(service.deps.db)).toEqual([]);
});

test('a sale with a net refund is reversed by an entry with income', async () => {
  const { id } = await post(sale({ expense_type: 'change_package', income: '10.00', expend: '25.50' }));
  expect(await collected()).toBe('-15.50');
  const back = await service.deps.db.transaction().execute((tx) => reverseEntry(tx, by, id, null, 1_750_000_100));
  expect(await entryOf(back)).toMatchObject({ income: '15.50', expend: '0.00', net_income: '15.50', reverses_id: id });
  expect(await auditLedger(service.deps.db)).toEqual([]);
});

test('nothing is collected for a free sale', async () => {
  const { id } = await post(sale({ pay_method: 'free' }));
  expect(await entryOf(id)).toMatchObject({ income: '98.00', discount: '98.00', net_income: '0.00' });
  expect(await collected()).toBe('0.00');
});

test('a discount above the price is refused', async () => {
  await expect(post(sale({ discount: '98.01' }))).rejects.toMatchObject({ reason: 'discount_too_high' });
});

test('bill numbers have no holes, although sales are refused, repeated or rolled back at the same time', async () => {
  const numbers = async () => {
    const rows = await service.deps.db.selectFrom('ledger_entry').select('bill_no').where('reverses_id', 'is', null).execute();
    return rows.map(({ bill_no }) => Number(bill_no.split('-').at(-1))).sort((a, b) => a - b);
  };
  await limit('500.00');
  const repeated = sale({ income: '1.00' });
  const failing = () =>
    service.deps.db.transaction().execute(async (db) => {
      await postSale(db, by, sale({ income: '1.00' }), 1_750_000_000);
      throw new Error('rolled back');
    });
  const before = (await numbers()).length;
  await Promise.allSettled(Array.from({ length: 10 }, () => [post(sale({ income: '90.00' })), post(repeated), failing()]).flat());
  const after = await numbers();
  expect(after.length).toBeGreaterThan(before + 1);
  expect(after).toEqual(after.map((_, i) => i + 1));
});

test('fifty concurrent sales cannot collect more than the limit allows', async () => {
  await limit('1000.00');
  const results = await Promise.allSettled(Array.from({ length: 50 }, () => post(sale({ income: '90.00' }))));
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(11);
  for (const r of results) if (r.status === 'rejected') expect(r.reason).toMatchObject({ reason: 'collection_limit' });
  expect(await collected()).toBe('990.00');
  const others = await service.deps.db.selectFrom('customer').select('income_used').where('username', '=', 'operator').execute();
  expect(others, 'no other operator collected').toEqual([{ income_used: '0.00' }]);
  expect(await auditLedger(service.deps.db)).toEqual([]);
});

test('an entry that is unbalanced, or whose bill has another sum, is refused', async () => {
  const entry = {
    agent_id: by.agent_id,
    cause: `crooked:${++n}`,
    channel: 'counter',
    expense_type: 'recharge',
    income: '10.00',
    operator: '-',
    create_at: 1,
  } as const;
  const write = (amounts: readonly bigint[]) =>
    service.deps.db.transaction().execute((db) =>
      postEntry(db, entry, [
        { kind: 'collected', detail: 'cash', amount: amounts[0] ?? 0n },
        { kind: 'revenue', detail: 'recharge', amount: amounts[1] ?? 0n },
      ]),
    );
  await expect(write([1000n, -999n])).rejects.toThrow('is off by 0.01');
  await expect(write([999n, -999n])).rejects.toThrow('says 10.00');
  await write([1000n, -1000n]);
});

test('ledger entries and postings cannot be updated or deleted', async () => {
  const { id } = await post(sale());
  const { db } = service.deps;
  await expect(sql`update ledger_posting set amount = 1 where entry_id = ${id}`.execute(db)).rejects.toThrow('not rewritten');
  await expect(sql`delete from ledger_posting where entry_id = ${id}`.execute(db)).rejects.toThrow('not rewritten');
  await expect(sql`update ledger_entry set income = 1 where id = ${id}`.execute(db)).rejects.toThrow('not rewritten');
  await expect(sql`delete from ledger_entry where id = ${id}`.execute(db)).rejects.toThrow('not rewritten');
});
