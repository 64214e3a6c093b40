import { errors } from '@farlink/contract/errors.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { day, gigabyte } from '../../../test/billing-fixture.ts';
import { must } from '../../../test/payment/pay-world.ts';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../../test/portal.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { auditLedger } from '../ledger/check-ledger.ts';
import { postSale } from '../ledger/post-sale.ts';
import { refreshPackages } from '../metering/store/refresh-packages.ts';
import { sweepJobs } from '../subscriber/sweep-job.ts';
import { renewAccount } from './renew-account.ts';
import { renewJobs } from './renew-job.ts';

let w: PortalWorld;
beforeAll(async () => {
  w = await startPortalWorld();
});
afterEach(async () => expect(await auditLedger(w.api.db)).toEqual([]));
afterAll(() => w.close());

const runJobs = async () => {
  const runner = startJobs(w.api.deps, { ...sweepJobs, ...renewJobs }, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
};
/** Advances the clock. The sweep ends packages, the next run of the jobs renews them. */
const pass = async (seconds: number) => {
  await w.advance(seconds);
  await runJobs();
  await w.advance(15);
  await runJobs();
};
let n = 0;
/** Credits the balance. The counter refuses that for periodic and ended packages. */
const credit = async (id: number, income: string) => {
  const buyer = await w.billing.account(id);
  const sale = {
    cause: `credit:${++n}`,
    channel: 'counter',
    expense_type: 'recharge',
    pay_method: 'cash',
    income,
    into: 'balance',
    buyer,
  } as const;
  await w.api.db
    .transaction()
    .execute((db) => postSale(db, { agent_id: buyer.agent_id, customer_id: null, operator: '-' }, sale, w.api.clock.now()));
};
const switchTo = (id: number, auto_renew: 0 | 1) => w.east.call(userCalls.renewal, { ids: [id], auto_renew });
let phones = 13_900_000_000;

/** An account with a day package in use, a balance and the automatic renewal. */
const makeAccount = async (balance: string, more: object = {}) => {
  const pkg = await w.billing.makePackage({ time_capacity: 1, price: '10.00', ...more });
  const account = await w.account({ phone: String(++phones) });
  await w.billing.grantHolding(account.id, pkg, { activated_at: w.api.clock.now() });
  if (balance !== '0') await credit(account.id, balance);
  expect((await switchTo(account.id, 1)).data.success).toBe(1);
  const state = async () => {
    const { balance: left, package_status } = await w.billing.account(account.id);
    return [left, package_status, (await w.billing.holdings(account.id)).length];
  };
  const messages = async () =>
    (await w.api.db.selectFrom('sms_outbox').select('body').where('phone', '=', account.phone).orderBy('id').execute()).map(
      ({ body }) => body,
    );
  return { ...account, pkg, state, messages };
};

test('a package that has ended is renewed once from the balance, with an order, a bill and a log line', async () => {
  const account = await makeAccount('25');
  await pass(3600);
  expect(await account.state()).toEqual(['25.00', 'normal', 1]);
  await w.advance(day);
  await runJobs();
  await w.advance(15);
  // Several processes run the job at the same time.
  const due = Array.from({ length: 4 }, () =>
    w.api.db.transaction().execute((db) => renewAccount(db, w.api.deps, account.id, w.api.clock.now())),
  );
  await Promise.all([...due, runJobs()]);
  expect(await account.state()).toEqual(['15.00', 'to_be_used', 2]);
  const bill = (await w.billing.bills(account.id)).at(-1);
  expect(bill).toMatchObject({ channel: 'online', expense_type: 'recharge', pay_method: 'balance', balance_part: '10.00', income: '0.00' });
  const order = await w.api.db.selectFrom('pay_order').select('id').where('subscriber_id', '=', account.id).executeTakeFirstOrThrow();
  const log = await w.api.db
    .selectFrom('syslog')
    .selectAll()
    .where('subject', '=', `subscriber:${account.id}`)
    .orderBy('id', 'desc')
    .execute();
  expect(log[0]).toMatchObject({ username: 'system', result: 'success', content_en: expect.stringContaining('from the balance') });
  // A refund ends the automatic renewal: the returned balance is not spent on the same package again.
  must(await w.withdraw(order.id));
  await pass(15);
  expect(await account.state()).toEqual(['25.00', 'expired', 2]);
  expect((await w.billing.account(account.id)).auto_renew).toBe(false);
});

test('a package that is used up is renewed, a periodic one only after its end', async () => {
  const flow = { ...w.billing.flow, time_capacity: null, price: '5.00' };
  const account = await makeAccount('12', flow);
  const monthly = { cycle_length: 1, cycle_unit: 'month', cycle_quota: 1, cycle_quota_unit: 'GB' } as const;
  const periodic = await makeAccount('12', { ...flow, ...monthly });
  for (const { id } of [account, periodic]) {
    await w.api.db
      .updateTable('holding')
      .set({ used_flow: 10 * gigabyte })
      .where('subscriber_id', '=', id)
      .execute();
    await refreshPackages(w.api.db, [id], w.api.clock.now());
  }
  await pass(15);
  expect(await account.state()).toEqual(['7.00', 'to_be_used', 2]);
  expect((await periodic.state()).at(-1)).toBe(1);
});

test('a balance that is too small sends one message, and a top-up renews the package', async () => {
  const account = await makeAccount('9.99');
  await pass(day);
  expect(await account.state()).toEqual(['9.99', 'expired', 1]);
  expect(await account.messages()).toEqual([expect.stringContaining('余额¥9.99不足以自动续订')]);
  await pass(7200);
  expect(await account.messages()).toHaveLength(1);
  await credit(account.id, '5.00');
  await pass(15);
  expect(await account.state()).toEqual(['4.99', 'to_be_used', 2]);
  // The next shortage is a new message.
  await w.api.db
    .updateTable('holding')
    .set({ activated_at: w.api.clock.now() })
    .where('subscriber_id', '=', account.id)
    .where('activated_at', 'is', null)
    .execute();
  await refreshPackages(w.api.db, [account.id], w.api.clock.now());
  await pass(15);
  await pass(day);
  expect(await account.messages()).toHaveLength(2);
});

test('without the switch, for a blocked account, and for a package that is no longer sold, nothing is bought', async () => {
  const [off, frozen, ended, waiting] = await Promise.all([makeAccount('20'), makeAccount('20'), makeAccount('20'), makeAccount('20')]);
  must(await switchTo(off.id, 0));
  await w.api.db.updateTable('subscriber').set({ status: 'frozen' }).where('id', '=', frozen.id).execute();
  await w.api.db
    .updateTable('package')
    .set({ expire_at: w.api.clock.now() + day })
    .where('id', '=', ended.pkg.id)
    .execute();
  await pass(day - 60);
  // The subscriber is paying: the order renews the account.
  const home = await w.enter(waiting.account);
  await w.post(`${home}buy`, { package: String(waiting.pkg.id), channel: 'wechat' });
  await pass(120);
  for (const account of [off, frozen, ended, waiting]) expect(await account.state()).toEqual(['20.00', 'expired', 1]);
});

test('job accounts are refused, an unchanged switch too, and another VNO finds no account', async () => {
  const job = await w.account({ account_type: 'job' });
  expect((await switchTo(job.id, 1)).data.list[0]?.message).toBe(errors.recharge_job.text[0]);
  const account = await makeAccount('0');
  expect((await switchTo(account.id, 1)).data.list[0]?.message).toBe(errors.unchanged.text[0]);
  const foreign = await w.west.call(userCalls.renewal, { ids: [account.id], auto_renew: 0 });
  expect(foreign.data.list[0]?.message).toBe(errors.not_found.text[0]);
  expect((await w.east.call(userCalls.read, { id: account.id })).data.auto_renew).toBe(1);
});

test('the subscriber switches the renewal in the portal', async () => {
  const account = await w.account();
  const home = await w.enter(account.account, crewPassword, 'en/');
  expect((await w.get(home)).text).toContain('Turn automatic renewal on');
  const page = await w.post(`${home}renewal`, { on: '1' });
  expect(page.text).toContain('Turn automatic renewal off');
  expect((await w.billing.account(account.id)).auto_renew).toBe(true);
  expect((await w.post(`${home}renewal`, { on: '0' })).text).toContain('Automatic renewal is off');
  const job = await w.account({ account_type: 'job' });
  const jobHome = await w.enter(job.account, crewPassword, 'en/');
  expect((await w.get(jobHome)).text).not.toContain('automatic renewal');
  expect((await w.post(`${jobHome}renewal`, { on: '1' })).status).toBe(errors.recharge_job.status);
});
