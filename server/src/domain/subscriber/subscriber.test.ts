import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { sweepAccounts } from '../metering/run/sweep-accounts.ts';
import { grantPackages } from '../metering/store/grant-packages.ts';
import { refreshPackages } from '../metering/store/refresh-packages.ts';
import { insertSubscribers } from './insert-subscribers.ts';

let service: ServiceDeps;
let agent_id: number;
const now = 1_750_000_000;
const day = 86_400;

beforeAll(async () => {
  service = await serviceDeps();
  agent_id = (await service.addOperator('clerk')).agent_id;
});
afterAll(() => service.close());

const newPackage = async (more: object) =>
  (
    await service.deps.db
      .insertInto('package')
      .values({
        agent_id,
        kind: 'online',
        name: `p${Math.random()}`,
        package_type: 'time',
        time_capacity: 30,
        time_unit: 'day',
        price: '98.00',
        device_ids: [],
        create_at: now,
        update_at: now,
        ...more,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
const newDevice = async (sn: string) =>
  (await service.deps.db.insertInto('device').values({ agent_id, name: sn, sn, create_at: now }).returning('id').executeTakeFirstOrThrow())
    .id;
const open = async (account: string, more = {}) => {
  const row = { ...subscriberRow({ agent_id, account, create_at: now, ...more }), password: 'secret1' };
  const [id] = await insertSubscribers(service.deps.db, service.deps.config.secretKey, [row]);
  if (id === undefined) throw new Error('no id');
  return id;
};
const row = (id: number) => service.deps.db.selectFrom('subscriber').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

test('an account is opened with its secrets sealed and the configuration of its type', async () => {
  const id = await open('sealed1', { id_number: '11010519491231002X' });
  const made = await row(id);
  expect(made.password).toMatch(/^v1\./);
  expect(made.id_number).toMatch(/^v1\./);
  expect(made.id_number_hash).not.toContain('11010519491231002X');
  expect(made.config_id).not.toBeNull();
});

test('an account shows its package from the grant until it expires', async () => {
  const package_id = await newPackage({ expire_at: now + 10 * day });
  const id = await open('timed1');
  await grantPackages(service.deps.db, [{ subscriber_id: id, agent_id, package_id, price: '98.00', count: 1 }], now);
  expect(await row(id)).toMatchObject({ package_id, package_status: 'to_be_used', package_due_at: now + 10 * day });
  expect(await sweepAccounts(service.deps.db, service.deps.config, now + 9 * day)).toBe(0);
  await sweepAccounts(service.deps.db, service.deps.config, now + 10 * day);
  expect(await row(id)).toMatchObject({ package_status: 'expired', package_due_at: null });
});

test('an account with a used-up package and a stop policy is shut down, and restored by the next package', async () => {
  const { db } = service.deps;
  const policy = { agent_id, name: 'stop', ratio: 80, action: 2 as const, create_at: now, update_at: now };
  const { id: policy_id } = await db.insertInto('policy').values(policy).returning('id').executeTakeFirstOrThrow();
  const flow = { package_type: 'flow', time_capacity: null, time_unit: null, flow_capacity: 1, flow_unit: 'GB' };
  const package_id = await newPackage({ ...flow, policy_id });
  const id = await open('flow1');
  const grant = { subscriber_id: id, agent_id, package_id, price: '98.00', count: 1 };
  await grantPackages(db, [grant], now);
  await db
    .updateTable('holding')
    .set({ activated_at: now, used_flow: 1024 ** 3 })
    .where('subscriber_id', '=', id)
    .execute();
  await refreshPackages(db, [id], now);
  expect(await row(id)).toMatchObject({ status: 'shutdown', package_status: 'exhausted' });
  await grantPackages(db, [grant], now);
  expect(await row(id)).toMatchObject({ status: 'normal', package_status: 'to_be_used' });
});

test('an account expires at its expiry time', async () => {
  const id = await open('ends1', { expire_at: now + day });
  await sweepAccounts(service.deps.db, service.deps.config, now + day - 1);
  expect((await row(id)).status).toBe('normal');
  await sweepAccounts(service.deps.db, service.deps.config, now + day);
  expect((await row(id)).status).toBe('expired');
});

test('a device accepts 20,000 accounts and not one more, also under concurrency', async () => {
  const { db } = service.deps;
  const device_id = await newDevice('FULL1');
  await db.updateTable('device').set({ account_count: 19_995 }).where('id', '=', device_id).execute();
  const results = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => open(`crowd${i}`, { device_id })));
  expect(results.filter((r) => r.status === 'fulfilled')).toHaveLength(5);
  const other = await newDevice('FREE1');
  const [first] = await db.selectFrom('subscriber').select('id').where('device_id', '=', device_id).execute();
  await db
    .updateTable('subscriber')
    .set({ device_id: other })
    .where('id', '=', first?.id ?? 0)
    .execute();
  await open('late1', { device_id });
  await expect(open('late2', { device_id })).rejects.toThrow('device_capacity');
  await db.deleteFrom('subscriber').where('account', '=', 'late1').execute();
  const counts = await db
    .selectFrom('device')
    .select(['sn', 'account_count'])
    .where('id', 'in', [device_id, other])
    .orderBy('sn')
    .execute();
  expect(counts).toEqual([
    { sn: 'FREE1', account_count: 1 },
    { sn: 'FULL1', account_count: 19_999 },
  ]);
});
