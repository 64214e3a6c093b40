import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { payOrderCalls as calls } from '@farlink/contract/finance/pay-order.ts';
import { Random } from '@farlink/contract/kit/random.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, startApi } from '../../test/api.ts';
import { day, makeBillingFixture } from '../../test/billing-fixture.ts';
import { must } from '../../test/payment/pay-world.ts';
import { makeBranches } from '../../test/world.ts';
import { auditLedger, checkLedger } from '../domain/ledger/check-ledger.ts';
import { startPaymentStandIn } from './payment-stand-in.ts';
import { seedPayments } from './payments.ts';

let api: Api;
let admin: Caller;
const started: { readonly url: string; stop(): Promise<void> }[] = [];

const start = async () => {
  const standIn = await startPaymentStandIn({ ...api.deps, config: { ...api.deps.config, publicUrl: api.base } });
  if (!standIn) throw new Error('no stand-in');
  started.push(standIn);
  return standIn;
};

beforeAll(async () => {
  api = await startApi({ PAY_STANDIN_PORT: '8090' });
  const { eastId, childId } = await makeBranches(api);
  const now = api.clock.now();
  for (const [agentId, name] of [[eastId, 'east'] as const, [childId, 'child'] as const]) {
    const billing = await makeBillingFixture(api, agentId, name);
    await billing.makePackage({ ...billing.flow, kind: 'extra', price: '15.00' });
    for (let n = 0; n < 8; n++) await billing.makeAccount({ create_at: now - 100 * day });
  }
  await api.db.transaction().execute((db) => seedPayments(db, new Random(1), { now }));
  admin = await api.login('admin');
});
afterAll(async () => {
  for (const standIn of started) await standIn.stop();
  await api.close();
});

const someOrder = (state: 'paid' | 'waiting') =>
  api.db.selectFrom('pay_order').selectAll().where('state', '=', state).where('package_id', 'is', null).limit(1).executeTakeFirstOrThrow();
const pay = async (url: string | null | undefined) =>
  (await fetch(url ?? '', { method: 'POST', body: new URLSearchParams({ do: 'pay' }) })).text();
const untilPaid = (id: number) =>
  expect
    .poll(async () => (await api.db.selectFrom('pay_order').select('state').where('id', '=', id).executeTakeFirst())?.state)
    .toBe('paid');

test('the demo data has orders in every state, bills for paid orders and a balanced ledger', async () => {
  const rows = await api.db
    .selectFrom('pay_order')
    .select(['state', (eb) => eb.fn.countAll<number>().as('n')])
    .groupBy('state')
    .execute();
  expect(Object.fromEntries(rows.map(({ state, n }) => [state, Number(n)]))).toEqual({ paid: 49, waiting: 5, expired: 14, withdrawn: 12 });
  const bills = await api.db.selectFrom('ledger_entry').select('id').where('channel', '=', 'online').execute();
  expect(bills).toHaveLength(49 + 2 * 5);
  expect(await auditLedger(api.db)).toEqual([]);
  expect(await checkLedger(api.db)).toMatchObject({ balanced: true });
});

test('a demo operator can complete a payment on each channel and withdraw an earlier paid order', async () => {
  const standIn = await start();
  const account = await api.db.selectFrom('subscriber').selectAll().limit(1).executeTakeFirstOrThrow();
  for (const channel of ['wechat', 'alipay'] as const) {
    const input = { channel, expense_type: 'recharge', kind: 'amount', amount: '12.34', user_id: account.id };
    const order = must(await admin.call(calls.create, input));
    expect(order.pay_url).toContain(standIn.url);
    expect(await pay(order.pay_url)).toContain('支付成功');
    await untilPaid(order.id);
  }
  const past = await someOrder('paid');
  must(await admin.call(calls.withdraw, { id: past.id }));
  expect(await auditLedger(api.db)).toEqual([]);
});

test('a restart of the stand-in provider keeps keys, configuration and orders, also on another port', async () => {
  const [first] = started;
  const file = join(api.deps.config.dataDir, 'stand-in.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const keys = readFileSync(file, 'utf8');
  // The first stand-in still uses the port.
  const second = await start();
  expect(second.url).not.toBe(first?.url);
  expect(readFileSync(file, 'utf8')).toBe(keys);
  const waiting = await someOrder('waiting');
  expect(waiting.pay_url).toContain(second.url);
  expect(await pay(waiting.pay_url)).toContain('支付成功');
  await untilPaid(waiting.id);
  must(await admin.call(calls.withdraw, { id: waiting.id }));
});

test('the stand-in provider does not start without a configured port', async () => {
  expect(await startPaymentStandIn({ ...api.deps, config: { ...api.deps.config, payStandInPort: 0 } })).toBeUndefined();
});
