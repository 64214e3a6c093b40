import { errors } from '@farlink/contract/errors.ts';
import { settlementCalls as calls } from '@farlink/contract/finance/settlement.ts';
import { monthStart, zonedTime } from '@farlink/contract/kit/zone.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, grantsOf } from '../../../test/api.ts';
import { configure, must, type PayWorld, startPayWorld } from '../../../test/payment/pay-world.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';
import { auditLedger } from '../../domain/ledger/check-ledger.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { settlementExports } from '../finance/settlement.ts';

let w: PayWorld;
beforeAll(async () => {
  w = await startPayWorld();
});
afterAll(async () => {
  expect(await auditLedger(w.api.db)).toEqual([]);
  await w.close();
});

const period = () => zonedTime(w.api.clock.now()).slice(0, 7);
const list = async (by: Caller, filters: Record<string, unknown> = {}) => must(await by.call(calls.list, filters));
const pay = async () => {
  const order = await w.newOrder('wechat');
  await w.standIn.pay(order.order_no);
  return order;
};

describe('the settlement of a month', () => {
  let months: readonly string[];

  it('sums what a VNO above collected; a later refund is in the month in which it happens', async () => {
    const first = period();
    const [order] = [await pay(), await pay()];
    await w.advance(monthStart(w.api.clock.now(), 1) - w.api.clock.now() + 60);
    months = [first, period()];
    must(await w.withdraw(order.id));
    await pay();
    const { list: rows, sums } = await list(w.east);
    expect(rows.map((row) => [row.period, row.agent_name, row.payments, row.paid, row.refunds, row.refunded, row.net, row.state])).toEqual([
      [months[1], 'VNO east', 1, '50.29', 1, '50.29', '0.00', 'running'],
      [months[0], 'VNO east', 2, '100.58', 0, '0.00', '100.58', 'open'],
    ]);
    expect(sums).toEqual({ paid: '150.87', refunded: '50.29', net: '100.58' });
    expect((await list(w.admin)).total).toBe(2);
    for (const by of [w.west, w.child]) expect(await list(by)).toMatchObject({ total: 0, sums: { net: '0.00' } });
    expect(await list(w.east, { state: 'open', period: months[0] })).toMatchObject({ total: 1, sums: { net: '100.58' } });
  });

  it('has no row for payments through the own channel', async () => {
    const own = await configure(w.api, w.standIn, w.east);
    await pay();
    expect((await list(w.east)).sums).toMatchObject({ paid: '150.87' });
    await w.api.db.updateTable('payment_channel').set({ status: 0 }).where('id', '=', own.wechat).execute();
  });

  it('is marked as settled once the month is over, by either VNO with the right, and seen by both', async () => {
    const [running, over] = (await list(w.east)).list;
    const settle = (by: Caller, id = over?.id, note = '转账 2025-07-02') => by.call(calls.settle, { id, note });
    expect((await settle(w.east, running?.id)).code).toBe(errors.settlement_running.code);
    expect((await settle(w.west)).code).toBe(errors.not_found.code);
    await makeStaff(w.east, 'book_reader', await makeRole(w.east, 'Reader', grantsOf(['settlement'], '10')));
    expect((await settle(await w.api.login('book_reader'))).code).toBe(errors.denied.code);
    expect((await settle(w.east, over?.id, '')).data).toHaveProperty('fields.note');
    must(await settle(w.admin));
    expect((await settle(w.east)).code).toBe(errors.wrong_state.code);
    const shown = async (by: Caller) => (await list(by, { period: over?.period })).list[0];
    const settled = { state: 'settled', note: '转账 2025-07-02', settled_at: w.api.clock.now(), net: '100.58' };
    expect(await shown(w.east)).toMatchObject({ ...settled, settled_by: '上级运营商' });
    expect((await shown(w.admin))?.settled_by).not.toBe('上级运营商');
    must(await w.east.call(calls.reopen, { id: over?.id }));
    expect(await shown(w.admin)).toMatchObject({ state: 'open', settled_by: null, note: null });
    must(await settle(w.east));
  });

  it('is exported with plain numbers', async () => {
    const { id } = must(await w.east.call(calls.export, { format: 'csv' }));
    const jobs = startJobs(w.api.deps, exportJobs(settlementExports), { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
    const headers = { authorization: w.east.session?.token ?? '' };
    const text = await (await fetch(`${w.api.base}/agt/v1/export/download/${id}`, { headers })).text();
    const [head = '', ...lines] = text.trim().split('\r\n');
    expect(head).toContain('代收金额');
    expect(lines.map((line) => line.split(',').slice(3, 6))).toEqual([
      ['50.29', '50.29', '0.00'],
      ['100.58', '0.00', '100.58'],
    ]);
  });
});
