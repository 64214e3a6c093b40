import { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { inScope } from '../../kit/scope.ts';
import { bind, type Handler } from '../../kit/serve.ts';

const deviceOptions: Handler<typeof calls.option> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('device')
    .select(['id', 'name', 'sn'])
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .orderBy('name')
    .limit(10_000)
    .execute();
  return Object.fromEntries(rows.map((r) => [r.id, `${r.name} (${r.sn})`]));
};

const groupOptions: Handler<typeof calls.groupOption> = async (ctx) => {
  const rows = await ctx.db
    .selectFrom('device_group')
    .select(['id', 'name'])
    .where(inScope(ctx.me, 'device_group.agent_id'))
    .orderBy('name')
    .limit(10_000)
    .execute();
  return Object.fromEntries(rows.map((r) => [r.id, r.name]));
};

export const deviceBindings = [bind(calls.option, deviceOptions), bind(calls.groupOption, groupOptions)];
