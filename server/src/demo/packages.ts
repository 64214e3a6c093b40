import type { Db } from '../kit/deps.ts';

/** Products of each demo VNO: two templates, four online packages, two extra packages. */
const gigabytes = { flow_unit: 'GB' } as const;

const online = [
  {
    name: '船员月租 Crew Monthly 10GB',
    package_type: 'time_flow',
    time_capacity: 30,
    time_unit: 'day',
    flow_capacity: 10,
    ...gigabytes,
    up_speed: 256,
    down_speed: 1024,
    price: '98.00',
    priority: 20,
    weight: 90,
  },
  {
    name: '畅享年卡 Annual 120GB',
    package_type: 'flow',
    flow_capacity: 120,
    ...gigabytes,
    cycle_length: 1,
    cycle_unit: 'month',
    cycle_quota: 10,
    cycle_quota_unit: 'GB',
    up_speed: 512,
    down_speed: 2048,
    price: '980.00',
    priority: 30,
    weight: 80,
  },
  {
    name: '日租 Day Pass',
    package_type: 'time',
    time_capacity: 24,
    time_unit: 'hour',
    up_speed: 128,
    down_speed: 512,
    price: '15.00',
    priority: 10,
    weight: 100,
  },
  {
    name: '公务专线 Ship Business',
    package_type: 'flow',
    flow_capacity: 1,
    flow_unit: 'TB',
    up_speed: 0,
    down_speed: 0,
    up_guarantee: 256,
    down_guarantee: 512,
    price: '4800.00',
    priority: 5,
    weight: 10,
    is_hide: true,
  },
] as const;

const extras = [
  { name: '加油包 Top-up 1GB', package_type: 'flow', flow_capacity: 1, ...gigabytes, price: '12.00', weight: 50 },
  { name: '加油包 Top-up 5GB', package_type: 'flow', flow_capacity: 5, ...gigabytes, price: '50.00', weight: 40 },
] as const;

export const seedPackages = async (
  db: Db,
  seller: { readonly id: number; readonly name: string },
  deviceIds: readonly number[],
  at: number,
) => {
  const brand = seller.name.split(' ')[0];
  const stamp = { agent_id: seller.id, create_at: at, update_at: at };
  const application = await db
    .insertInto('application')
    .values({
      ...stamp,
      name: '禁止视频',
      mode: 0,
      configure: ['26.124', '26.133', '9.197'],
      remark: '窄带链路下禁止视频类应用 / No video on narrow links',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const policy = await db
    .insertInto('policy')
    .values({
      ...stamp,
      name: '用尽限速',
      ratio: 80,
      action: 1,
      content: '您的流量已使用80%，用尽后将限速。',
      limit_up: 32,
      limit_down: 64,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('policy')
    .values({ ...stamp, name: '用尽停机', ratio: 90, action: 2, content: '您的流量即将用尽，用尽后停机。' })
    .execute();
  const binding = { device_ids: [...deviceIds] };
  for (const row of online)
    await db
      .insertInto('package')
      .values({
        ...stamp,
        ...binding,
        kind: 'online',
        application_id: row.priority === 20 ? application.id : null,
        policy_id: row.priority < 30 ? policy.id : null,
        ...row,
        name: `${brand}·${row.name}`,
      })
      .execute();
  for (const row of extras)
    await db
      .insertInto('package')
      .values({ ...stamp, ...binding, kind: 'extra', ...row, name: `${brand}·${row.name}` })
      .execute();
};
