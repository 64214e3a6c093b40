import { groupCalls as calls } from '@farlink/contract/device/group.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { groupScope } from '../../kit/list/device-scope.ts';
import { pageOf } from '../../kit/list/page.ts';
import { countOf, lockRow } from '../../kit/list/rows.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { notifyChange } from '../../orders/notify.ts';
import { deviceScope } from './device-query.ts';

const groupQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('device_group')
    .leftJoin('agent', 'agent.id', 'device_group.agent_id')
    .select([
      'device_group.id',
      'device_group.version',
      'device_group.name',
      'device_group.remark',
      'device_group.create_at',
      'device_group.agent_id as vno_id',
      'agent.name as agent_name',
    ])
    .select([
      countOf('device', sql`device.device_group_id = device_group.id and ${deviceScope(ctx.me)}`, 'device_count'),
      countOf('subscriber', sql`subscriber.device_group_id = device_group.id`, 'user_count'),
      countOf('package', sql`package.device_group_ids @> array[device_group.id]`, 'package_count'),
      countOf('config_template', sql`config_template.device_group_id = device_group.id`, 'template_count'),
    ])
    .where(groupScope(ctx.me));

export const listGroups: Handler<typeof calls.list> = async (ctx, input) => {
  const { device_id, ...filters } = input.filters;
  const all = groupQuery(ctx);
  const holding = sql<SqlBool>`device_group.id = (select device_group_id from device where id = ${device_id} and ${deviceScope(ctx.me)})`;
  return pageOf(ctx.db, calls.list, { ...input, filters }, device_id === undefined ? all : all.where(holding));
};

const lockGroup = (ctx: Ctx, id: number) => lockRow(ctx, 'device_group', id, groupScope(ctx.me));

/** Devices of a group in the scope of the session; it cannot keep or remove others. */
const devicesIn = async (ctx: Ctx, groupId: number) => {
  const devices = sql<{ id: number }>`select id from device where device_group_id = ${groupId} and ${deviceScope(ctx.me)} order by id`;
  const { rows } = await devices.execute(ctx.db);
  return rows.map((row) => row.id);
};

export const readGroup: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await groupQuery(ctx).where('device_group.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  return { ...row, device_ids: await devicesIn(ctx, id) };
};

const invalid: Text = ['请选择有效的设备', 'Please select valid devices'];
const severalVnos: Text = ['组内设备须属于同一VNO', 'All devices of a group must belong to one VNO'];

/** With a device scope, a new group without one of these devices would be invisible. */
const refuseInvisible = (ctx: Ctx, ids: readonly number[]) => {
  if (ctx.me.rights.device_ids && ids.length === 0)
    throw failAt('device_ids', ['您的管理范围限于设备，请选择设备', 'Your management scope is limited to devices. Select a device.']);
};

/** VNO that owns all of these devices. */
const ownerOf = async (ctx: Ctx, ids: readonly number[]): Promise<number | undefined> => {
  const devices = sql<{ agent_id: number }>`select agent_id from device where id = any(${ids}::bigint[]) and ${deviceScope(ctx.me)}`;
  const { rows } = await devices.execute(ctx.db);
  if (rows.length !== ids.length) throw failAt('device_ids', invalid);
  const owners = new Set(rows.map((row) => row.agent_id));
  if (owners.size > 1) throw failAt('device_ids', severalVnos);
  return rows[0]?.agent_id;
};

const moveDevices = async (ctx: Ctx, ids: readonly number[], groupId: number | null) => {
  if (ids.length === 0) return;
  await sql`update device set device_group_id = ${groupId}::bigint, revision = revision + 1
    where id in (select id from device where id = any(${ids}::bigint[]) order by id for no key update)`.execute(ctx.db);
  await notifyChange(ctx.db, 'record', ids);
};

export const createGroup: Handler<typeof calls.create> = async (ctx, { name, remark, device_ids }) => {
  const ids = device_ids ?? [];
  refuseInvisible(ctx, ids);
  const agent_id = (await ownerOf(ctx, ids)) ?? ctx.me.agent_id;
  const { id } = await ctx.db
    .insertInto('device_group')
    .values({ agent_id, name, remark: remark ?? null, create_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await moveDevices(ctx, ids, id);
  record(ctx, [`新增设备组 ${name}`, `Created device group ${name}`], { after: { name, remark, device_ids: ids } });
  return { id };
};

export const updateGroup: Handler<typeof calls.update> = async (ctx, input) => {
  const group = await lockGroup(ctx, input.id);
  if (group.version !== input.version) throw fail('stale');
  const stored = await devicesIn(ctx, group.id);
  const deviceIds = input.device_ids === undefined ? stored : (input.device_ids ?? []);
  const owner = await ownerOf(ctx, deviceIds);
  if (owner !== undefined && owner !== group.agent_id) throw failAt('device_ids', severalVnos);
  const was = new Set(stored);
  const now = new Set(deviceIds);
  const added = deviceIds.filter((id) => !was.has(id));
  const left = stored.filter((id) => !now.has(id));
  const after = { name: input.name, remark: input.remark ?? null };
  if (after.name === group.name && after.remark === group.remark && added.length + left.length === 0) throw fail('unchanged');
  await ctx.db
    .updateTable('device_group')
    .set({ ...after, version: group.version + 1 })
    .where('id', '=', group.id)
    .execute();
  await moveDevices(ctx, left, null);
  await moveDevices(ctx, added, group.id);
  record(ctx, [`修改设备组 ${group.name}`, `Changed device group ${group.name}`], {
    before: { name: group.name, remark: group.remark, device_ids: stored },
    after: { ...after, device_ids: deviceIds },
  });
};

const usageTexts = {
  devices: ['设备', 'devices'],
  accounts: ['上网账号', 'accounts'],
  packages: ['套餐', 'packages'],
  cards: ['未使用的充值卡', 'unused recharge cards'],
  template: ['配置模板“{0}”', 'configuration template "{0}"'],
} as const satisfies Record<string, Text>;

const refuseTemplates = async (ctx: Ctx, groupId: number) => {
  const template = await ctx.db
    .selectFrom('config_template')
    .select('name')
    .where('device_group_id', '=', groupId)
    .where(inScope(ctx.me, 'config_template.agent_id'))
    .orderBy('id')
    .executeTakeFirst();
  if (template) throw fail('group_in_use', { args: [fill(usageTexts.template, template.name)] });
};

export const removeGroup: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const group = await lockGroup(ctx, id);
  const { rows } = await sql<{ used: keyof typeof usageTexts | null }>`
    select case when exists (select from device where device_group_id = ${id}) then 'devices'
      when exists (select from subscriber where device_group_id = ${id}) then 'accounts'
      when exists (select from package where device_group_ids @> array[${id}]::bigint[]) then 'packages'
      when exists (select from recharge_card where device_group_id = ${id} and status = 'unused')
        or exists (select from card_rule where device_group_id = ${id} and state = 'making') then 'cards' end as used`.execute(ctx.db);
  if (rows[0]?.used) throw fail('group_in_use', { args: [usageTexts[rows[0].used]] });
  await refuseTemplates(ctx, id);
  await ctx.db.deleteFrom('device_group').where('id', '=', id).execute();
  record(ctx, [`删除设备组 ${group.name}`, `Deleted device group ${group.name}`], { before: { name: group.name, remark: group.remark } });
};
