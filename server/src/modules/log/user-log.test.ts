import { accountSyncLogCalls } from '@farlink/contract/log/account-sync-log.ts';
import { userAppLogCalls } from '@farlink/contract/log/user-app-log.ts';
import type { Insertable } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, grantsOf, startApi } from '../../../test/api.ts';
import { subscriberRow } from '../../../test/subscriber.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import type { Database } from '../../db/tables.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let ships: { id: number; sn: string }[];
let userId: number;

const day = 86_400;
const sync = (row: Partial<Insertable<Database['sync_log']>> & { agent_id: number; device_id: number }) => ({
  direction: 'down' as const,
  total: 10,
  success_count: 10,
  fail_count: 0,
  result: 'success' as const,
  duration: 3,
  create_at: api.clock.now(),
  ...row,
});
const policy = (row: Partial<Insertable<Database['policy_log']>> & { agent_id: number; account: string }) => ({
  policy_source: 'user_defined' as const,
  custom_policy: true,
  result: 'success' as const,
  operator: 'east',
  create_at: api.clock.now(),
  ...row,
});

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  ships = await api.db
    .insertInto('device')
    .values([
      { agent_id: world.eastId, name: '东一', sn: 'E-1', create_at: 1 },
      { agent_id: world.childId, name: '东二', sn: 'C-1', create_at: 1 },
      { agent_id: world.westId, name: '西一', sn: 'W-1', create_at: 1 },
    ])
    .returning(['id', 'sn'])
    .execute();
  const [east, child, west] = ships.map((s) => s.id);
  if (!east || !child || !west) throw new Error('no ships');
  await api.db
    .insertInto('sync_log')
    .values([
      sync({ agent_id: world.eastId, device_id: east }),
      sync({
        agent_id: world.childId,
        device_id: child,
        direction: 'up',
        success_count: 4,
        fail_count: 6,
        result: 'partial',
        message_zh: '6个账号密码不合规',
        message_en: '6 passwords refused',
        create_at: api.clock.now() - day,
      }),
      sync({ agent_id: world.westId, device_id: west, result: 'fail', success_count: 0, fail_count: 10 }),
    ])
    .execute();
  const sailor = subscriberRow({ agent_id: world.eastId, account: 'sailor1' });
  userId = (await api.db.insertInto('subscriber').values(sailor).returning('id').executeTakeFirstOrThrow()).id;
  await api.db
    .insertInto('policy_log')
    .values([
      policy({ agent_id: world.eastId, account: 'sailor1', subscriber_id: userId, device_id: east, application_name: '办公', mode: 1 }),
      policy({
        agent_id: world.eastId,
        account: 'sailor2',
        device_id: east,
        policy_source: 'account_default',
        custom_policy: false,
        result: 'fail',
        message_zh: '设备离线',
        message_en: 'Device offline',
      }),
      policy({ agent_id: world.westId, account: 'other', device_id: west }),
    ])
    .execute();
});
afterAll(() => api.close());

describe('the account sync log', () => {
  it('shows the gateway, the counts and the failure reason in the language of the reader', async () => {
    const { data } = await world.east.call(accountSyncLogCalls.list, { result: 'partial' });
    expect(data.list).toMatchObject([
      {
        device_name: '东二',
        device_id: ships[1]?.id,
        sn: 'C-1',
        direction: 'up',
        total: 10,
        success_count: 4,
        fail_count: 6,
        message: '6个账号密码不合规',
        duration: 3,
        agent_name: 'VNO child',
      },
    ]);
    expect((await world.east.call(accountSyncLogCalls.list, { direction: 'up', lang: 'en' })).data.list[0]?.message).toBe(
      '6 passwords refused',
    );
  });

  it('applies each filter, and sorts by failure count', async () => {
    const total = async (filters: object) => (await world.admin.call(accountSyncLogCalls.list, { ...filters })).data.total;
    expect(await total({})).toBe(3);
    expect(await total({ device_id: ships[0]?.id })).toBe(1);
    expect(await total({ sn: 'w-1' })).toBe(1);
    expect(await total({ fail_count: 5, cond_fail_count: 'gt' })).toBe(2);
    expect(await total({ fail_count: 6 })).toBe(1);
    expect(await total({ vno_id: world.childId })).toBe(1);
    expect(await total({ create_at_start: api.clock.now() - 10, create_at_end: api.clock.now() })).toBe(2);
    const sorted = (await world.admin.call(accountSyncLogCalls.list, { orderby: 'fail_count desc' })).data.list;
    expect(sorted.map((row) => row.fail_count)).toEqual([10, 6, 0]);
  });

  it('accepts at most three months, and shows only rows of the own branch and of permitted devices', async () => {
    const reply = await world.east.call(accountSyncLogCalls.list, {
      create_at_start: api.clock.now() - 100 * day,
      create_at_end: api.clock.now(),
    });
    expect(reply.data).toEqual({ fields: { create_at_end: '查询时间跨度不能超过3个月' } });
    expect((await world.east.call(accountSyncLogCalls.list)).data.total).toBe(2);
    expect((await world.west.call(accountSyncLogCalls.list)).data.list.map((row) => row.sn)).toEqual(['W-1']);
    expect((await world.east.call(accountSyncLogCalls.list, { vno_id: world.westId })).data.total).toBe(0);
    const role = await makeRole(world.east, '一船', grantsOf(['account_sync_log', 'user_app_log']), {
      scope: 'device',
      device_limit: 'specified',
      device_ids: [ships[1]?.id],
    });
    await makeStaff(world.east, 'one_ship', role);
    const one = await api.login('one_ship');
    expect((await one.call(accountSyncLogCalls.list)).data.list.map((row) => row.sn)).toEqual(['C-1']);
    expect((await one.call(userAppLogCalls.list)).data.total).toBe(0);
  });
});

describe('the user policy log', () => {
  it('shows the policy of a user with its source, and applies each filter', async () => {
    const { data } = await world.east.call(userAppLogCalls.list, { account: 'sailor1' });
    expect(data.list).toMatchObject([
      {
        account: 'sailor1',
        device_name: '东一',
        device_id: ships[0]?.id,
        sn: 'E-1',
        policy_source: 'user_defined',
        application_name: '办公',
        mode: 1,
        custom_policy: 1,
        result: 'success',
        message: null,
        operator: 'east',
        agent_name: 'VNO east',
      },
    ]);
    const total = async (filters: object) => (await world.admin.call(userAppLogCalls.list, { ...filters })).data.total;
    expect(await total({})).toBe(3);
    expect(await total({ custom_policy: 0 })).toBe(1);
    expect(await total({ policy_source: 'account_default' })).toBe(1);
    expect(await total({ result: 'fail' })).toBe(1);
    expect(await total({ device_id: ships[2]?.id })).toBe(1);
    expect(await total({ vno_id: world.eastId })).toBe(2);
    expect(await total({ application_id: 1 })).toBe(0);
    expect((await world.east.call(userAppLogCalls.list, { result: 'fail', lang: 'en' })).data.list[0]?.message).toBe('Device offline');
  });

  it('filters by user, hides other branches and refuses more than three months', async () => {
    expect((await world.east.call(userAppLogCalls.list, { user_id: userId })).data.total).toBe(1);
    expect((await world.west.call(userAppLogCalls.list, { user_id: userId })).data.total).toBe(0);
    expect((await world.west.call(userAppLogCalls.list)).data.list.map((row) => row.account)).toEqual(['other']);
    const range = { create_at_start: api.clock.now() - 100 * day, create_at_end: api.clock.now() };
    expect((await world.east.call(userAppLogCalls.list, range)).data).toHaveProperty('fields.create_at_end');
  });
});
