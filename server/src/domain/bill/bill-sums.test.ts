import { endpoints } from '@farlink/contract/endpoints.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import type { Listing } from '@farlink/contract/kit/endpoint.ts';
import { type AnyRow, isNumeric } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { monthStart } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { type Api, type Caller, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import type { Db } from '../../kit/deps.ts';
import { auditLedger } from '../ledger/check-ledger.ts';
import { postSale, type Sale } from '../ledger/post-sale.ts';
import { reverseEntry } from '../ledger/reverse-entry.ts';
import { addToBranches } from './branch-sums-job.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
interface Seller extends BillingFixture {
  readonly buyer: Sale['buyer'];
}
let east: Seller;
let child: Seller;
let west: Seller;

let limited: Caller;
let ofChild: Caller;
let n = 0;

/** Every list of bills with sums. Traffic lists have sums of bytes, which `traffic-sums.test.ts` compares with their rows. */
const lists = endpoints.flatMap((call) => {
  const { kind, resource, path } = call;
  return kind === 'list' && resource?.sums?.includes('net_income') && resource.columns.includes('bill_no')
    ? [{ path, call, resource }]
    : [];
});
const seller = (agent_id: number) => ({ agent_id, customer_id: null, operator: 'till' });

const sellIn = (db: Db, at: number, { agent_id, buyer }: Seller, sale: Partial<Sale>) =>
  postSale(
    db,
    seller(agent_id),
    { cause: `m:${++n}`, channel: 'counter', expense_type: 'recharge', pay_method: 'cash', income: '1.00', buyer, ...sale },
    at,
  );
const sell = (at: number, where: Seller, sale: Partial<Sale>) => api.db.transaction().execute((db) => sellIn(db, at, where, sale));

const makeOrder = async (at: number, { agent_id, device_id, buyer }: Seller, amount: string) =>
  (
    await api.db
      .insertInto('pay_order')
      .values({
        agent_id,
        device_id,
        order_no: `M${++n}`,
        trade_no: `M${n}`,
        channel: oneOf(['alipay', 'wechat'] as const),
        subscriber_id: buyer?.id ?? null,
        expense_type: 'recharge',
        amount,
        operator: '-',
        expire_at: at + 900,
        create_at: at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const setState = (db: Db, id: number, state: 'paid' | 'withdrawn' | 'expired') =>
  db.updateTable('pay_order').set({ state }).where('id', '=', id).execute();
const online = (order_id: number, income: string) => ({ channel: 'online', pay_method: 'alipay', income, order_id }) as const;

const random = (() => {
  let seed = 20260918;
  return (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * below);
  };
})();
const oneOf = <T>(items: readonly T[]): T => {
  const item = items[random(items.length)];
  if (item === undefined) throw new Error('no items');
  return item;
};
const amount = () => `${random(500)}.${String(random(100)).padStart(2, '0')}`;

/** A time of the last 300 days; often at the border of a month. */
const anyTime = () => {
  const at = api.clock.now() - random(300 * day);
  return oneOf([at, at, monthStart(at), monthStart(at) - 1, monthStart(at) + 1]);
};

const sellAnything = async () => {
  const at = anyTime();
  const where = oneOf([east, child, west]);
  const expense_type = oneOf(['open', 'recharge', 'change_package'] as const);
  const kind = oneOf(['counter', 'counter', 'card', 'online', 'refund', 'order'] as const);
  const state = oneOf(['waiting', 'expired', 'withdrawn', 'returned'] as const);
  const reverse = (db: Db, id: number) => reverseEntry(db, seller(where.agent_id), id, null, at + random(60 * day));
  if (kind === 'counter') await sell(at, where, { expense_type, income: amount(), discount: '0.00', expend: oneOf(['0.00', '3.25']) });
  else if (kind === 'card') await sell(at, where, { channel: 'card', pay_method: null, expense_type, income: amount() });
  else if (kind === 'refund') {
    const { id } = await sell(at, where, { expense_type, income: amount() });
    await api.db.transaction().execute((db) => reverse(db, id));
  } else {
    const paid = `${1 + random(99)}.00`;
    const id = await makeOrder(at, where, paid);
    await api.db.transaction().execute(async (db) => {
      if (kind === 'order' && state !== 'returned') {
        if (state !== 'waiting') await setState(db, id, state);
        return;
      }
      await setState(db, id, 'paid');
      const bill = await sellIn(db, at + random(3 * day), where, { ...online(id, paid), expense_type });
      if (kind === 'online') return;
      await setState(db, id, 'withdrawn');
      await reverse(db, bill.id);
    });
  }
};

const addChanges = () => api.db.transaction().execute(addToBranches);

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  const makeSeller = async (agentId: number, name: string): Promise<Seller> => {
    const fixture = await makeBillingFixture(api, agentId, name);
    return { ...fixture, buyer: await fixture.makeAccount() };
  };
  east = await makeSeller(world.eastId, 'east');
  child = await makeSeller(world.childId, 'child');
  west = await makeSeller(world.westId, 'west');
  const grants = grantsOf(['bill_counter', 'bill_online', 'bill_card', 'user_bill'], '10');
  const scope = { scope: 'device', device_limit: 'specified', device_ids: [east.device_id], gateway_permissions: {} };
  await makeStaff(world.east, 'limited_1', await makeRole(world.east, 'limited', grants, scope));
  limited = await api.login('limited_1');
  const below = { scope: 'vno', vno_limit: 'specified', vno_ids: [world.childId], gateway_permissions: {} };
  await makeStaff(world.east, 'below_1', await makeRole(world.east, 'below', grants, below));
  ofChild = await api.login('below_1');
  for (let i = 0; i < 220; i++) await sellAnything();
  await addChanges();
  for (let i = 0; i < 20; i++) await sellAnything();
  return () => api.close();
}, 60_000);
afterEach(async () => {
  expect(await auditLedger(api.db)).toEqual([]);
});

type List = (typeof lists)[number];

/** All rows of a filtered list, and the sums below it. */
const listed = async (by: Caller, { call }: List, filters: Values) => {
  const rows: AnyRow[] = [];
  for (let page = 1; ; page++) {
    const reply = await by.call(call, { ...filters, limit: 100, page });
    expect(reply.code).toBe(0);
    const data: Listing<AnyRow> = JSON.parse(JSON.stringify(reply.data));
    rows.push(...data.list);
    if (data.list.length === 100) continue;
    expect(data.total).toBe(rows.length);
    return { rows, sums: data.sums };
  }
};

const expectSumsOfRows = async (by: Caller, list: List, filters: Values) => {
  const { rows, sums } = await listed(by, list, filters);
  const sumOf = (name: string) => (rows.reduce((sum, row) => sum + Math.round(Number(row[name]) * 100), 0) / 100).toFixed(2);
  const names = list.resource.sums ?? [];
  expect(sums, `${list.path} ${JSON.stringify(filters)}`).toEqual(Object.fromEntries(names.map((name) => [name, sumOf(name)])));
  return rows;
};

/** A condition on one declared filter, by a value that occurs in a row. */
const anyFilter = ({ resource }: List, rows: readonly AnyRow[]): Values => {
  const name = oneOf(resource.filters);
  const field = resource.fields[name];
  const value = field?.kind === 'choice' ? oneOf(field.options ?? []).id : oneOf(rows)[name];
  if (field?.kind === 'time' || value === null || value === undefined) return {};
  return { [name]: value, ...(isNumeric(field?.kind) && { [`cond_${name}`]: oneOf(['gt', 'eq', 'lt']) }) };
};

const expectSums = async (list: List, filtered: number) => {
  const now = api.clock.now();
  const whole = { create_at_start: monthStart(now, -3), create_at_end: monthStart(now, -1) - 1 };
  for (const [by, more] of [
    [world.admin, {}],
    [world.admin, { vno_id: world.childId }],
    [world.east, {}],
    [world.east, { vno_id: world.westId }],
    [world.child, {}],
    [world.west, { device_id: west.device_id }],
    [limited, {}],
    [ofChild, {}],
  ] as const) {
    const rows = await expectSumsOfRows(by, list, more);
    await expectSumsOfRows(by, list, { ...more, ...whole });
    expect(rows.length > 0).toBe(by !== world.east || !('vno_id' in more));
    for (let i = 0; i < filtered; i++) {
      const [start, end] = [anyTime(), anyTime()].toSorted((a, b) => a - b);
      const range = oneOf([{}, { create_at_start: start, create_at_end: end }, { create_at_start: start }, { create_at_end: start }]);
      const filters = rows.length > 0 ? { ...anyFilter(list, rows), ...anyFilter(list, rows) } : {};
      await expectSumsOfRows(by, list, { ...oneOf([{}, filters]), ...more, ...range });
    }
  }
};

test.for(lists)('the sums of $path equal its rows, for the platform, VNOs and their staff', (list) => expectSums(list, 1));
test.for(lists)('the sums of $path equal its rows with any filters', { tags: 'all' }, (list) => expectSums(list, 6));

test('sums of whole months are read from the sums of months, and the audit reports a wrong one', async () => {
  const month = monthStart(api.clock.now(), -2);
  const change = (by: number) =>
    sql`update bill_month set income = income + ${by} where (list, agent_id, month) = ('counter', ${world.eastId}, ${month})`.execute(
      api.db,
    );
  const range = { create_at_start: month, create_at_end: monthStart(month, 1) - 1 };
  const income = async (by: Caller, more: Record<string, unknown> = {}) =>
    Number((await by.call(billCalls.counter, { ...range, ...more })).data.sums?.income);
  const before = await income(world.east);
  const ofLimited = await income(limited);
  await change(1000);
  expect(await income(world.east)).toBeCloseTo(before + 1000);
  expect(await income(limited)).toBe(ofLimited);
  expect(await auditLedger(api.db)).toEqual([`sums of counter bills of VNO ${world.eastId} in the month from ${month} are wrong`]);
  await change(-1000);
});

test('sums of a branch are read from one row a month and the changes that the job has not added yet', async () => {
  const income = async (by: Caller) => Number((await by.call(billCalls.counter, {})).data.sums?.income);
  const changes = async () => (await sql<{ n: number }>`select count(*)::int as n from bill_month_change`.execute(api.db)).rows[0]?.n;
  await sell(api.clock.now(), child, { income: '7.00' });
  const ofPlatform = await income(world.admin);
  const ofEast = await income(world.east);
  const ofChild = await income(world.child);
  expect(await changes()).toBeGreaterThan(0);
  await Promise.all([addChanges(), addChanges()]);
  expect(await changes()).toBe(0);
  expect([await income(world.admin), await income(world.east), await income(world.child)]).toEqual([ofPlatform, ofEast, ofChild]);
  const month = monthStart(api.clock.now());
  const change = (by: number) =>
    sql`update bill_branch_month set income = income + ${by} where (list, agent_id, month) = ('counter', ${world.eastId}, ${month})`.execute(
      api.db,
    );
  await change(1000);
  expect([await income(world.admin), await income(world.east)]).toEqual([ofPlatform, ofEast + 1000]);
  expect(await auditLedger(api.db)).toEqual([
    `sums of counter bills of the branch of VNO ${world.eastId} in the month from ${month} are wrong`,
  ]);
  await change(-1000);
});

test('a moved VNO takes its sums along, those that the job has not added yet included', async () => {
  const income = async (by: Caller) => Number((await by.call(billCalls.counter, {})).data.sums?.income);
  const all = async () => [await income(world.admin), await income(world.east), await income(world.west)];
  await addChanges();
  await sell(api.clock.now(), child, { income: '3.00' });
  const [ofPlatform = 0, ofEast = 0, ofWest = 0] = await all();
  const own = await income(world.child);
  const { path } = await api.db.selectFrom('agent').select('path').where('id', '=', world.childId).executeTakeFirstOrThrow();
  const move = (to: string) => api.db.updateTable('agent').set({ path: to }).where('id', '=', world.childId).execute();
  await move(path.replace(`/${world.eastId}/`, `/${world.westId}/`));
  const after = await all();
  expect(after[0]).toBeCloseTo(ofPlatform);
  expect(after[1]).toBeCloseTo(ofEast - own);
  expect(after[2]).toBeCloseTo(ofWest + own);
  expect(await auditLedger(api.db)).toEqual([]);
  await addChanges();
  expect(await all()).toEqual(after);
  await move(path);
});

test('an order is added to its own month when it is paid, and taken out when it is withdrawn', async () => {
  const at = monthStart(api.clock.now(), -4) + day;
  const range = { create_at_start: monthStart(at), create_at_end: monthStart(at, 1) - 1 };
  const income = async () => Number((await world.east.call(billCalls.online, range)).data.sums?.income);
  const before = await income();
  const id = await makeOrder(at, east, '40.00');
  expect(await income()).toBe(before);
  const bill = await api.db.transaction().execute(async (db) => {
    await setState(db, id, 'paid');
    return sellIn(db, api.clock.now(), east, online(id, '40.00'));
  });
  expect(await income()).toBeCloseTo(before + 40);
  await api.db.transaction().execute(async (db) => {
    await setState(db, id, 'withdrawn');
    await reverseEntry(db, seller(east.agent_id), bill.id, null, api.clock.now());
  });
  expect(await income()).toBe(before);
});

test('a payment that is entered while its order changes state in another transaction is summed once', async () => {
  const id = await makeOrder(api.clock.now(), east, '12.00');
  let paid: Promise<unknown> = Promise.resolve();
  await api.db.transaction().execute(async (db) => {
    await sellIn(db, api.clock.now(), east, { ...online(id, '10.00'), discount: '1.00' });
    paid = setState(api.db, id, 'paid');
    // The other transaction has reached the order before this one ends.
    await expect
      .poll(async () => (await sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`.execute(api.db)).rows[0]?.n)
      .toBeGreaterThan(0);
  });
  await paid;
});

test('sales of one VNO at the same time are all summed', async () => {
  const before = Number((await world.west.call(billCalls.counter, {})).data.sums?.income);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) => sell(api.clock.now(), west, { income: '2.50', expense_type: i % 2 ? 'open' : 'recharge' })),
  );
  expect(Number((await world.west.call(billCalls.counter, {})).data.sums?.income)).toBeCloseTo(before + 50);
});

test('an entry keeps its order', async () => {
  await expect(sql`update ledger_entry set order_id = null where order_id is not null`.execute(api.db)).rejects.toThrow('not rewritten');
});

test('sums of filtered bills with a capped total are calculated on request', async () => {
  const entries = (operator: string, count: number) =>
    sql`insert into ledger_entry (agent_id, cause, bill_no, channel, expense_type, pay_method, operator, create_at)
      select ${world.westId}, ${operator}::text || n, ${operator}::text || n, 'counter', 'recharge', 'pos', ${operator}::text, ${api.clock.now()}
      from generate_series(1, ${count}::int) n`.execute(api.db);
  await entries('few', limits.countCapFiltered);
  await entries('bulk', limits.countCapFiltered + 1);
  const later = async (more: Values) => (await world.west.call(billCalls.counter, { sums: 'later', ...more })).data;
  expect(await later({ operator: 'bulk' })).toMatchObject({ capped: true, sums_on_request: true });
  expect((await world.west.call(billCalls.counter, { sums: 'only', operator: 'bulk' })).data.sums?.income).toBe('0.00');
  for (const more of [{}, { operator: 'few' }, { vno_id: world.westId }]) expect(await later(more)).not.toHaveProperty('sums_on_request');
});
