import { tempReleaseCalls as calls } from '@farlink/contract/advanced/temp-release.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import { type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { groupScope, hasDeviceInScope, hasOnlyDevicesInScope } from '../../kit/list/device-scope.ts';
import { pageOf } from '../../kit/list/page.ts';
import { lockRow } from '../../kit/list/rows.ts';
import { inScope, requireOwnVno } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { lockVno, refuseTargets, saveTargets, type TempReleaseTargets, targetsOf } from './temp-release-targets.ts';

/** Devices of a rule; null means all devices. */
const devicesOfRule = sql`
  select m.device_id as id from release_rule_device m where m.rule_id = release_rule.id
  union all select d.id from device d join release_rule_group g on g.device_group_id = d.device_group_id where g.rule_id = release_rule.id
  union all select null where release_rule.target = 'all'`;

/** A role limited to devices sees the rules of its devices, and those for all devices. */
const scope = ({ me }: Ctx) =>
  sql<SqlBool>`${inScope(me, 'release_rule.agent_id')} and (release_rule.target = 'all' or ${hasDeviceInScope(me, devicesOfRule)})`;

/** Names in a cell; a rule can have thousands. */
const namesShown = 20;

const targetNames = ({ me }: Ctx) => sql<string[] | null>`(
  select (array_agg(n.name order by n.name))[1:${sql.lit(namesShown)}]
    || case when count(*) > ${sql.lit(namesShown)} then array['+' || (count(*) - ${sql.lit(namesShown)})] else array[]::text[] end
  from (
    select device.name from release_rule_device m join device on device.id = m.device_id
    where m.rule_id = release_rule.id and ${inScope(me, 'device.agent_id', 'device.id')}
    union all
    select device_group.name from release_rule_group m join device_group on device_group.id = m.device_group_id
    where m.rule_id = release_rule.id and ${groupScope(me)}
  ) n)`;

const ruleQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('release_rule')
    .innerJoin('agent', 'agent.id', 'release_rule.agent_id')
    .select([
      'release_rule.id',
      'release_rule.version',
      'release_rule.name',
      'release_rule.target',
      'release_rule.pass_time',
      'release_rule.pass_count',
      'release_rule.lock_time',
      'release_rule.refresh_time',
      'release_rule.limit_up',
      'release_rule.limit_down',
      'release_rule.status',
      'release_rule.create_at',
      'agent.name as agent_name',
      targetNames(ctx).as('target_names'),
    ])
    .where(scope(ctx));

export const listTempReleases: Handler<typeof calls.list> = (ctx, input) => {
  const { device_id, device_group_id, ...filters } = input.filters;
  let query = ruleQuery(ctx);
  if (device_id !== undefined)
    query = query.where(
      sql<SqlBool>`exists (select from release_rule_device m join device on device.id = m.device_id
        where m.rule_id = release_rule.id and m.device_id = ${device_id} and ${inScope(ctx.me, 'device.agent_id', 'device.id')})`,
    );
  if (device_group_id !== undefined)
    query = query.where(
      sql<SqlBool>`exists (select from release_rule_group m join device_group on device_group.id = m.device_group_id
        where m.rule_id = release_rule.id and m.device_group_id = ${device_group_id} and ${groupScope(ctx.me)})`,
    );
  return pageOf(ctx.db, calls.list, { ...input, filters }, query);
};

const membersOf = async (ctx: Ctx, id: number): Promise<Omit<TempReleaseTargets, 'target'>> => {
  const { rows: devices } = await sql<{ id: number }>`
    select device.id from release_rule_device m join device on device.id = m.device_id
    where m.rule_id = ${id} and ${inScope(ctx.me, 'device.agent_id', 'device.id')} order by device.id`.execute(ctx.db);
  const { rows: groups } = await sql<{ id: number }>`
    select device_group.id from release_rule_group m join device_group on device_group.id = m.device_group_id
    where m.rule_id = ${id} and ${groupScope(ctx.me)} order by device_group.id`.execute(ctx.db);
  return { device_ids: devices.map((row) => row.id), device_group_ids: groups.map((row) => row.id) };
};

export const readTempRelease: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await ruleQuery(ctx).where('release_rule.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const { device_ids, device_group_ids } = await membersOf(ctx, id);
  return { ...row, device_ids: [...device_ids], device_group_ids: [...device_group_ids] };
};

type Values = Pick<
  InputOf<typeof calls.create>,
  'name' | 'pass_time' | 'pass_count' | 'lock_time' | 'refresh_time' | 'limit_up' | 'limit_down' | 'target' | 'status'
>;
const columnsOf = ({ name, target, pass_time, pass_count, lock_time, refresh_time, limit_up, limit_down, status }: Values) => ({
  name,
  target,
  pass_time,
  pass_count,
  lock_time,
  refresh_time,
  limit_up,
  limit_down,
  status: status ?? 1,
});

export const createTempRelease: Handler<typeof calls.create> = async (ctx, input) => {
  requireOwnVno(ctx);
  const vnoId = ctx.me.agent_id;
  const targets = targetsOf(input);
  await lockVno(ctx, vnoId);
  await refuseTargets(ctx, vnoId, targets);
  const columns = columnsOf(input);
  const { id } = await ctx.db
    .insertInto('release_rule')
    .values({ ...columns, agent_id: vnoId, create_at: ctx.now(), update_at: ctx.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveTargets(ctx, id, targets);
  record(ctx, [`新增临时放行规则 ${input.name}`, `Created temporary-release rule ${input.name}`], { after: { ...columns, ...targets } });
  return { id };
};

/** A role limited to devices changes only rules that affect no other device. */
const lockRule = async (ctx: Ctx, id: number) => {
  const found = await ctx.db.selectFrom('release_rule').select('agent_id').where('id', '=', id).where(scope(ctx)).executeTakeFirst();
  if (!found) throw fail('not_found');
  // Same lock order as in a new rule: VNO, rule.
  await lockVno(ctx, found.agent_id);
  const rule = await lockRow(ctx, 'release_rule', id, scope(ctx));
  const { rows } = await sql<{ own: boolean }>`
    select ${hasOnlyDevicesInScope(ctx.me, devicesOfRule)} as own from release_rule where release_rule.id = ${id}`.execute(ctx.db);
  if (rows[0]?.own !== true) throw fail('release_shared');
  return rule;
};

export const updateTempRelease: Handler<typeof calls.update> = async (ctx, { id, version, ...input }) => {
  const rule = await lockRule(ctx, id);
  if (rule.version !== version) throw fail('stale');
  const targets = targetsOf(input);
  const before = { ...columnsOf(rule), ...(await membersOf(ctx, id)) };
  const after = { ...columnsOf({ ...input, status: input.status ?? rule.status }), ...targets };
  if (JSON.stringify(before) === JSON.stringify({ ...before, ...after })) throw fail('unchanged');
  await refuseTargets(ctx, rule.agent_id, targets, id);
  const { device_ids: _, device_group_ids: __, ...columns } = after;
  await ctx.db
    .updateTable('release_rule')
    .set({ ...columns, update_at: ctx.now(), version: rule.version + 1 })
    .where('id', '=', id)
    .execute();
  await saveTargets(ctx, id, targets);
  record(ctx, [`修改临时放行规则 ${rule.name}`, `Changed temporary-release rule ${rule.name}`], { before, after });
};

export const removeTempRelease: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const rule = await lockRule(ctx, id);
  const before = { ...columnsOf(rule), ...(await membersOf(ctx, id)) };
  await ctx.db.deleteFrom('release_rule').where('id', '=', id).execute();
  record(ctx, [`删除临时放行规则 ${rule.name}`, `Deleted temporary-release rule ${rule.name}`], { before });
};

export const listTempReleaseRecords: Handler<typeof calls.records> = (ctx, input) =>
  pageOf(
    ctx.db,
    calls.records,
    input,
    ctx.db
      .selectFrom('release_event')
      .leftJoin('agent', 'agent.id', 'release_event.agent_id')
      .leftJoin('device', (join) =>
        join.onRef('device.id', '=', 'release_event.device_id').on(inScope(ctx.me, 'device.agent_id', 'device.id')),
      )
      .select([
        'release_event.id',
        'release_event.device_id',
        'device.name as device_name',
        'release_event.sn',
        'release_event.mac',
        'release_event.result',
        'release_event.reason',
        'release_event.purpose',
        'release_event.until',
        'release_event.up_bytes',
        'release_event.down_bytes',
        'release_event.rule_name',
        'release_event.create_at',
        'release_event.agent_id as vno_id',
        'agent.name as agent_name',
      ])
      .where(inScope(ctx.me, 'release_event.agent_id', 'release_event.device_id'))
      .$if(typeof input.rule_id === 'number', (query) => query.where('release_event.rule_id', '=', input.rule_id ?? 0)),
  );
