import { errors } from '@farlink/contract/errors.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { userDetailCalls } from '@farlink/contract/user/user-detail.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, grantsOf, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { sweepJobs } from '../../domain/subscriber/sweep-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

const makeUser = (more: Parameters<BillingFixture['makeAccount']>[0] = {}) =>
  billing.makeAccount({ expire_at: api.clock.now() + 300 * day, ...more });
const sweep = async () => {
  const runner = startJobs(api.deps, sweepJobs, { pollMs: 0 });
  await runner.tick();
  await runner.stop();
};
const logOf = async (id: number) => (await world.east.call(userDetailCalls.log, { id })).data.list.map((line) => line.content);
const grantPackage = async (id: number) => billing.grantHolding(id, await billing.makePackage());

describe('a reserved shutdown', () => {
  it('takes effect at its time, ends the session, and is logged', async () => {
    const user = await makeUser({ online_count: 1 });
    const other = await makeUser();
    await grantPackage(user.id);
    await api.db
      .insertInto('online_session')
      .values({ subscriber_id: user.id, agent_id: world.eastId, session_id: 'shut', login_at: api.clock.now() })
      .execute();
    const shutdown_at = api.clock.now() + 2 * day;
    expect((await world.east.call(calls.shutdown, { ids: [user.id, other.id], shutdown_at, remark: '回港' })).data.success).toBe(2);
    expect((await world.east.call(calls.list, { shutdown_at_start: shutdown_at - 1, shutdown_at_end: shutdown_at })).data.total).toBe(2);
    await sweep();
    expect(await billing.account(user.id)).toMatchObject({ status: 'normal', shutdown_at });
    expect((await world.east.call(calls.reopen, { ids: [other.id] })).data.success).toBe(1);
    api.clock.advance(2 * day);
    await sweep();
    expect(await billing.account(user.id)).toMatchObject({ status: 'reserved_shutdown', shutdown_at: null, online_count: 0 });
    expect(await billing.account(other.id)).toMatchObject({ status: 'normal', shutdown_at: null });
    const east = await api.login('east');
    const lines = (await east.call(userDetailCalls.log, { id: user.id })).data.list.map((line) => line.content);
    expect(lines).toEqual([`预约停机到期，停机 ${user.account}`, `预约停机 ${user.account}`]);
  });

  it('can be withdrawn after it took effect; an account past its expiry becomes expired', async () => {
    [world.east, world.west] = [await api.login('east'), await api.login('west')];
    const user = await makeUser({ status: 'reserved_shutdown' });
    const late = await makeUser({ status: 'reserved_shutdown', expire_at: 1 });
    await grantPackage(user.id);
    expect((await world.east.call(calls.reopen, { ids: [user.id, late.id] })).data.success).toBe(2);
    expect([(await billing.account(user.id)).status, (await billing.account(late.id)).status]).toEqual(['normal', 'expired']);
    expect(await logOf(user.id)).toEqual([`撤销停机 ${user.account}`]);
    expect((await world.east.call(calls.reopen, { ids: [user.id] })).data).toMatchObject({ fail: 1 });
  });

  it('of a disabled account takes effect when it is enabled', async () => {
    const user = await makeUser();
    await grantPackage(user.id);
    const shutdown_at = api.clock.now() + 10;
    await world.east.call(calls.shutdown, { ids: [user.id], shutdown_at });
    await world.east.call(calls.forbid, { ids: [user.id], operate: 'disable' });
    api.clock.advance(20);
    await sweep();
    expect(await billing.account(user.id)).toMatchObject({ status: 'disabled', resume_status: 'reserved_shutdown', shutdown_at: null });
    await world.east.call(calls.forbid, { ids: [user.id], operate: 'enable' });
    expect(await billing.account(user.id)).toMatchObject({ status: 'reserved_shutdown' });
  });

  it('is refused in the past, after the expiry, for an expired account and to a view-only role', async () => {
    const user = await makeUser();
    const ended = await makeUser({ status: 'expired' });
    const reserve = (ids: number[], shutdown_at: number, by = world.east) => by.call(calls.shutdown, { ids, shutdown_at });
    expect((await reserve([user.id], api.clock.now())).data).toEqual({ fields: { shutdown_at: '停机时间须晚于当前时间' } });
    expect((await reserve([user.id], user.expire_at + 1)).data.list[0]?.message).toBe('停机时间须早于账号到期时间');
    expect((await reserve([ended.id], api.clock.now() + day)).data).toMatchObject({ fail: 1 });
    expect((await reserve([user.id], api.clock.now() + day, world.west)).data).toMatchObject({ fail: 1 });
    const role = await makeRole(world.east, '只看', Object.fromEntries(Object.keys(grantsOf(['user_list'])).map((key) => [key, '10'])));
    await makeStaff(world.east, 'looker', role);
    expect((await reserve([user.id], api.clock.now() + day, await api.login('looker'))).code).toBe(errors.denied.code);
  });
});

describe('extending the expiry', () => {
  it('adds days to each account, reactivates an expired account, and creates no bill', async () => {
    const now = api.clock.now();
    const user = await makeUser();
    const ended = await makeUser({ status: 'expired', expire_at: now - 5 * day });
    await grantPackage(ended.id);
    const { data } = await world.east.call(calls.extend, { ids: [user.id, ended.id], mode: 'days', days: 30, remark: '补偿' });
    expect(data).toMatchObject({ success: 2 });
    expect(await billing.account(user.id)).toMatchObject({ status: 'normal', expire_at: user.expire_at + 30 * day });
    expect(await billing.account(ended.id)).toMatchObject({ status: 'normal', expire_at: api.clock.now() + 30 * day });
    expect(await billing.bills(user.id)).toEqual([]);
    expect(await logOf(user.id)).toEqual([`延长用户 ${user.account} 的到期时间`]);
  });

  it('accepts only a later date', async () => {
    const user = await makeUser();
    const until = (expire_at: number) => world.east.call(calls.extend, { ids: [user.id], mode: 'until', expire_at });
    expect((await until(user.expire_at)).data.list[0]?.message).toBe('新的到期时间须晚于原到期时间和当前时间');
    expect((await until(user.expire_at + 1)).data.success).toBe(1);
    expect((await world.east.call(calls.extend, { ids: [user.id], mode: 'days' })).data).toEqual({ fields: { days: '请输入天数' } });
    expect((await world.west.call(calls.extend, { ids: [user.id], mode: 'days', days: 1 })).data).toMatchObject({ fail: 1 });
  });
});
