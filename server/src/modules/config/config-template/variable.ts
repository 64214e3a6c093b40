import { keptSecret } from '@farlink/contract/config/config.ts';
import { variableCalls as calls } from '@farlink/contract/config/variable.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../../kit/ctx.ts';
import { fail, failAt } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { refuseDeviceScope } from '../../../kit/list/device-scope.ts';
import { operatorName } from '../../../kit/list/operator-name.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { inScope } from '../../../kit/list/scope.ts';
import { record } from '../../../kit/log/record.ts';
import { seal } from '../../../kit/session/secret.ts';

/** A value may belong to a device; an operator with a device scope sees only the values of their devices. */
const variableScope = ({ me }: Ctx) => inScope(me, 'v.agent_id', 'v.device_id');

const variableQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('config_variable as v')
    .innerJoin('agent as a', 'a.id', 'v.agent_id')
    .leftJoin('device_group as g', 'g.id', 'v.device_group_id')
    .leftJoin('device as d', 'd.id', 'v.device_id')
    .select([
      'v.id',
      'v.version',
      'v.name',
      'v.level',
      'v.secret',
      'v.remark',
      operatorName(ctx, 'v.operator').as('operator'),
      'v.update_at',
      sql<string>`coalesce(d.name, g.name, a.name)`.as('place'),
      sql<string>`case when v.secret then ${keptSecret}::text else v.value end`.as('value'),
    ])
    .where(variableScope(ctx));

export const listVariables: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, variableQuery(ctx));

export const variableOptions: Handler<typeof calls.option> = async (ctx) => {
  const { rows } = await sql<{ name: string; label: string | null }>`
    select v ->> 'name' as name, max(v ->> 'label') as label
    from config_template t, jsonb_array_elements(t.variables) v where ${inScope(ctx.me, 't.agent_id')} group by 1 order by 1`.execute(
    ctx.db,
  );
  return Object.fromEntries(rows.map(({ name, label }) => [name, label ? `${name} · ${label}` : name]));
};

const invalid: Text = ['请选择有效的范围', 'Please select a valid scope'];

const scopeOf = async (ctx: Ctx, { level, vno_id, device_group_id, device_id }: InputOf<typeof calls.create>) => {
  if (level === 'device') {
    const device = await ctx.db
      .selectFrom('device')
      .select(['id', 'agent_id', 'name'])
      .where('id', '=', device_id ?? 0)
      .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
      .executeTakeFirst();
    if (!device) throw failAt('device_id', invalid);
    return { name: device.name, row: { level, agent_id: device.agent_id, device_id: device.id } };
  }
  refuseDeviceScope(ctx);
  if (level === 'group') {
    const group = await ctx.db
      .selectFrom('device_group')
      .select(['id', 'agent_id', 'name'])
      .where('id', '=', device_group_id ?? 0)
      .where(inScope(ctx.me, 'device_group.agent_id'))
      .executeTakeFirst();
    if (!group) throw failAt('device_group_id', invalid);
    return { name: group.name, row: { level, agent_id: group.agent_id, device_group_id: group.id } };
  }
  const vno = await ctx.db
    .selectFrom('agent')
    .select(['id', 'name'])
    .where('id', '=', vno_id ?? 0)
    .where(inScope(ctx.me, 'agent.id'))
    .executeTakeFirst();
  if (!vno) throw failAt('vno_id', invalid);
  return { name: vno.name, row: { level, agent_id: vno.id } };
};

const stored = (ctx: Ctx, value: string, secret: boolean) => (secret ? seal(ctx.deps.config.secretKey, value) : value);
const shown = (value: string, secret: boolean) => (secret ? keptSecret : value);

export const createVariable: Handler<typeof calls.create> = async (ctx, input) => {
  const { name, value, remark } = input;
  const secret = input.secret === true;
  const scope = await scopeOf(ctx, input);
  const now = ctx.now();
  const { id } = await ctx.db
    .insertInto('config_variable')
    .values({
      ...scope.row,
      name,
      value: stored(ctx, value, secret),
      secret,
      remark: remark ?? null,
      operator: ctx.me.name,
      create_at: now,
      update_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`设置 ${scope.name} 的模板变量 ${name}`, `Set the template variable ${name} of ${scope.name}`], {
    after: { name, level: input.level, value: shown(value, secret), secret, remark },
  });
  return { id };
};

const lockVariable = async (ctx: Ctx, id: number) => {
  const row = await ctx.db
    .selectFrom('config_variable as v')
    .selectAll()
    .where('v.id', '=', id)
    .where(variableScope(ctx))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  if (row.level !== 'device') refuseDeviceScope(ctx);
  return row;
};

export const updateVariable: Handler<typeof calls.update> = async (ctx, { id, version, value, remark }) => {
  const row = await lockVariable(ctx, id);
  if (row.version !== version) throw fail('stale');
  const isKept = row.secret && value === keptSecret;
  const after = { value: isKept ? row.value : stored(ctx, value, row.secret), remark: remark ?? null };
  if ((isKept || (!row.secret && after.value === row.value)) && after.remark === row.remark) throw fail('unchanged');
  await ctx.db
    .updateTable('config_variable')
    .set({ ...after, operator: ctx.me.name, update_at: ctx.now(), version: version + 1 })
    .where('id', '=', id)
    .execute();
  record(ctx, [`修改模板变量 ${row.name}`, `Changed the template variable ${row.name}`], {
    before: { value: shown(row.value, row.secret), remark: row.remark },
    after: { value: shown(value, row.secret), remark },
  });
};

export const removeVariable: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const row = await lockVariable(ctx, id);
  await ctx.db.deleteFrom('config_variable').where('id', '=', id).execute();
  record(ctx, [`删除模板变量 ${row.name}`, `Deleted the template variable ${row.name}`], {
    before: { name: row.name, value: shown(row.value, row.secret), remark: row.remark },
  });
};
