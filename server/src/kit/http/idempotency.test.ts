import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { errors } from '@farlink/contract/errors.ts';
import { payOrderCalls } from '@farlink/contract/finance/pay-order.ts';
import { idempotencyHeader } from '@farlink/contract/kit/idempotency.ts';
import { limits } from '@farlink/contract/limits.ts';
import { moneyCalls } from '@farlink/contract/user/money.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { prefixCalls } from '@farlink/contract/vno/vno-prefix.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { must, type PayWorld, startPayWorld } from '../../../test/payment/pay-world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { cleanupJobs } from '../jobs/cleanup.ts';
import { startJobs } from '../jobs/job-runner.ts';

let w: PayWorld;
let n = 0;
beforeAll(async () => {
  w = await startPayWorld();
});
afterEach(async () => expect(await auditLedger(w.api.db)).toEqual([]));
afterAll(() => w.close());

const newKey = () => ({ [idempotencyHeader]: `attempt-of-a-form-${++n}` });
const topUp = (id: number, amount = '50') => ({ ids: [id], kind: 'amount', amount });

test('answers a repeated key with the first result and charges once', async () => {
  const { id } = await w.billing.makeAccount();
  const key = newKey();
  const first = await w.east.call(moneyCalls.recharge, topUp(id), key);
  const second = await w.east.call(moneyCalls.recharge, topUp(id), key);
  expect(first.data.success).toBe(1);
  expect(second).toEqual(first);
  expect(await w.billing.bills(id)).toHaveLength(1);
  expect(await w.balance(id)).toBe('50.00');
  const lines = await w.api.db.selectFrom('syslog').select('id').where('subject', '=', `subscriber:${id}`).execute();
  expect(lines).toHaveLength(1);
});

test('charges again for a new key, and without a key', async () => {
  const { id } = await w.billing.makeAccount();
  await w.east.call(moneyCalls.recharge, topUp(id), newKey());
  await w.east.call(moneyCalls.recharge, topUp(id), newKey());
  await w.east.call(moneyCalls.recharge, topUp(id));
  expect(await w.balance(id)).toBe('150.00');
});

test('charges once when twenty requests with one key arrive together', async () => {
  const { id } = await w.billing.makeAccount();
  const key = newKey();
  const replies = await Promise.all(Array.from({ length: 20 }, () => w.east.call(moneyCalls.recharge, topUp(id), key)));
  expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
  expect(replies[0]?.data.success).toBe(1);
  expect(await w.billing.bills(id)).toHaveLength(1);
});

test('refuses a repeated key with another body', async () => {
  const { id } = await w.billing.makeAccount();
  const key = newKey();
  await w.east.call(moneyCalls.recharge, topUp(id), key);
  const changed = await w.east.call(moneyCalls.recharge, topUp(id, '60'), key);
  expect(changed).toMatchObject({ status: 409, code: errors.key_reused.code });
  expect(await w.balance(id)).toBe('50.00');
});

test('refuses a malformed key', async () => {
  const { id } = await w.billing.makeAccount();
  for (const key of ['short', 'x'.repeat(65), 'spaces are not allowed'])
    expect(await w.east.call(moneyCalls.recharge, topUp(id), { [idempotencyHeader]: key })).toMatchObject({ status: 400 });
  expect(await w.billing.bills(id)).toEqual([]);
});

test('does not keep a refusal: the corrected form works with the same key', async () => {
  const key = newKey();
  const { id } = await w.billing.makeAccount();
  const refused = await w.east.call(moneyCalls.recharge, { ...topUp(id), discount: '80' }, key);
  expect(refused.data.success ?? 0).toBe(0);
  expect((await w.east.call(moneyCalls.recharge, { ...topUp(id), discount: '8' }, key)).data.success).toBe(1);
  expect(await w.balance(id)).toBe('50.00');
  const name = newKey();
  const taken = await w.east.call(prefixCalls.create, { vno_id: w.eastId, prefix: 'ida' });
  expect(taken.code).toBe(0);
  expect((await w.east.call(prefixCalls.create, { vno_id: w.eastId, prefix: 'ida' }, name)).code).toBe(errors.duplicate.code);
  expect((await w.east.call(prefixCalls.create, { vno_id: w.eastId, prefix: 'idb' }, name)).code).toBe(0);
});

test('keeps keys apart by account and by call', async () => {
  const mine = await w.billing.makeAccount();
  const theirs = await w.billing.makeAccount();
  const key = newKey();
  await w.east.call(moneyCalls.recharge, topUp(mine.id), key);
  expect((await w.admin.call(moneyCalls.recharge, topUp(theirs.id), key)).data.success).toBe(1);
  expect((await w.east.call(userCalls.forbid, { ids: [mine.id], operate: 'disable' }, key)).code).toBe(0);
});

test('charges once when the reply is lost after the commit', async () => {
  const { id } = await w.billing.makeAccount();
  const headers = { 'content-type': 'application/json', authorization: w.east.session?.token ?? '', ...newKey() };
  const send = (base: string, body: string) => fetch(`${base}/agt/v1/user/recharge`, { method: 'POST', headers, body });
  // The proxy forwards the request, waits for the reply and drops it.
  const proxy = createServer(async (request) => {
    await send(w.api.base, await text(request));
    request.socket.destroy();
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const address = proxy.address();
  const form = JSON.stringify(topUp(id));
  await expect(send(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, form)).rejects.toThrow();
  expect(await w.billing.bills(id)).toHaveLength(1);
  expect((await send(w.api.base, form)).headers.get('idempotency-replayed')).toBe('true');
  expect(await w.billing.bills(id)).toHaveLength(1);
  proxy.close();
});

test('stores neither key nor effect when the transaction fails', async () => {
  const { id } = await w.billing.makeAccount();
  const key = newKey();
  await sql`create function refuse_log() returns trigger language plpgsql as $$ begin raise exception 'full'; end $$`.execute(w.api.db);
  await sql`create trigger refuse before insert on syslog for each row execute function refuse_log()`.execute(w.api.db);
  expect((await w.east.call(moneyCalls.recharge, topUp(id), key)).status).toBe(500);
  await sql`drop trigger refuse on syslog`.execute(w.api.db);
  expect(await w.billing.bills(id)).toEqual([]);
  expect((await w.east.call(moneyCalls.recharge, topUp(id), key)).data.success).toBe(1);
  expect(await w.billing.bills(id)).toHaveLength(1);
});

test('stores replies sealed', async () => {
  const { id } = await w.billing.makeAccount();
  await w.east.call(moneyCalls.recharge, topUp(id), newKey());
  const rows = await w.api.db.selectFrom('idempotency_key').select('answer').execute();
  expect(rows.length).toBeGreaterThan(0);
  for (const { answer: reply } of rows) expect(reply).toMatch(/^v1\./);
});

test('makes one payment order for a repeated key', async () => {
  const { id } = await w.billing.makeAccount();
  const key = newKey();
  const input = { channel: 'wechat', expense_type: 'recharge', kind: 'amount', amount: '20', user_id: id };
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => w.east.call(payOrderCalls.create, input, key)));
  for (const other of others) expect(other.data).toEqual(first?.data);
  const orders = await w.api.db.selectFrom('pay_order').selectAll().where('subscriber_id', '=', id).execute();
  expect(orders).toHaveLength(1);
  expect(must(await w.east.call(payOrderCalls.create, { ...input, amount: '21' }, newKey())).amount).toBe('21.00');
  expect((await w.east.call(payOrderCalls.create, { ...input, amount: '21' }, key)).code).toBe(errors.key_reused.code);
});

test('forgets keys after a day', async () => {
  const { id } = await w.billing.makeAccount();
  const key = newKey();
  await w.east.call(moneyCalls.recharge, topUp(id), key);
  await w.advance(limits.idempotencyS);
  // An expired key counts as new even before the clean-up runs.
  expect((await w.east.call(moneyCalls.recharge, topUp(id, '60'), key)).data.success).toBe(1);
  expect(await w.balance(id)).toBe('110.00');
  await w.advance(limits.idempotencyS);
  const runner = startJobs(w.api.deps, cleanupJobs, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
  expect(await w.api.db.selectFrom('idempotency_key').selectAll().execute()).toEqual([]);
});
