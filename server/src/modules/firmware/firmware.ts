import { firmwareCalls as calls } from '@farlink/contract/firmware/firmware.ts';
import { fullVersion } from '@farlink/contract/firmware/version.ts';
import { uploads } from '@farlink/contract/rules.ts';
import { sql } from 'kysely';
import { seenBy } from '../../domain/firmware/visibility.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { isUpload } from '../../kit/files/upload.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nameObject, record } from '../../kit/log/record.ts';
import { firmwareQuery } from './firmware-query.ts';
import { dropFile, keepFile } from './keep-file.ts';

export const listFirmware: Handler<typeof calls.list> = (ctx, input) => {
  const { vno_id } = input.filters;
  return pageOf(ctx.db, calls.list, input, firmwareQuery(ctx, typeof vno_id === 'number' ? vno_id : undefined));
};

/** VNOs and devices of a rule in the scope of the reader; the edit form starts with these. */
const visibleIds = async (ctx: Ctx, table: 'agent' | 'device', ids: readonly number[] | null) => {
  if (!ids || ids.length === 0) return [];
  const rows = await ctx.db
    .selectFrom(table)
    .select('id')
    .where('id', 'in', ids)
    .where(table === 'agent' ? inScope(ctx.me, 'agent.id') : inScope(ctx.me, 'device.agent_id', 'device.id'))
    .orderBy('id')
    .execute();
  return rows.map((r) => r.id);
};

export const readFirmware: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await firmwareQuery(ctx).select(['firmware.vno_ids', 'firmware.device_ids']).where('firmware.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  const { in_use: _, vno_id: __, ...shown } = row;
  return {
    ...shown,
    vno_ids: await visibleIds(ctx, 'agent', row.vno_ids),
    device_ids: await visibleIds(ctx, 'device', row.device_ids),
  };
};

const findFirmware = async (ctx: Ctx, id: number) => {
  const row = await ctx.db.selectFrom('firmware').selectAll().where('id', '=', id).where(seenBy(ctx.me)).forUpdate().executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.version);
  refuseVno(ctx);
  const models = await ctx.db.selectFrom('firmware_model').select('model').where('firmware_id', '=', id).orderBy('model').execute();
  return { ...row, model: models.map((m) => m.model) };
};

/** Only the platform manages firmware; VNOs see the versions shown to them. */
const refuseVno = ({ me }: Ctx) => {
  if (me.agent_level !== 0) throw fail('denied');
};

interface Shown {
  readonly display_rule: 'all' | 'vno' | 'device';
  readonly vno_ids?: readonly number[] | null;
  readonly device_ids?: readonly number[] | null;
}

const sorted = (ids: readonly number[] | null | undefined) => [...new Set(ids)].sort((a, b) => a - b);

const refuseForeign = async (ctx: Ctx, field: 'vno_ids' | 'device_ids', ids: readonly number[]) => {
  const found = await visibleIds(ctx, field === 'vno_ids' ? 'agent' : 'device', ids);
  if (found.length !== ids.length) throw failAt(field, ['请选择有效的数据', 'Please select a valid entry']);
  return [...ids];
};

/** Display rule with its VNOs or devices; the unused list is null. */
const ruleOf = async (ctx: Ctx, { display_rule, vno_ids, device_ids }: Shown) => ({
  display_rule,
  vno_ids: display_rule === 'vno' ? await refuseForeign(ctx, 'vno_ids', sorted(vno_ids)) : null,
  device_ids: display_rule === 'device' ? await refuseForeign(ctx, 'device_ids', sorted(device_ids)) : null,
});

const modelsOf = (model: readonly string[]) => [...new Set(model.map((m) => m.trim()))].sort();

const putModels = async (ctx: Ctx, id: number, model: readonly string[]) => {
  await ctx.db.deleteFrom('firmware_model').where('firmware_id', '=', id).execute();
  await sql`insert into firmware_model (firmware_id, model, version_key)
    select f.id, m.model, f.version_key from firmware f, unnest(${model}::text[]) as m(model) where f.id = ${id}`.execute(ctx.db);
};

export const createFirmware: Handler<typeof calls.create> = async (ctx, input) => {
  refuseVno(ctx);
  if (!isUpload(input.file)) throw failAt('file', uploads.firmware.text);
  const { name: file_name, size, sha256 } = input.file;
  const rule = await ruleOf(ctx, input);
  const row = { version: fullVersion(input.version), remark: input.remark, release_desc: input.release_desc ?? null, ...rule };
  const model = modelsOf(input.model);
  const now = ctx.now();
  const file_key = await keepFile(ctx, input.file);
  const { id } = await ctx.db
    .insertInto('firmware')
    .values({ ...row, file_name, file_key, size, sha256, operator: ctx.me.name, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  await putModels(ctx, id, model);
  record(ctx, [`上传固件 ${row.version}`, `Uploaded firmware ${row.version}`], { after: { ...row, model, file_name, size, sha256 } });
  return { id };
};

/** A model cannot be removed while devices of it are being upgraded. */
const refuseUsedModel = async (ctx: Ctx, id: number, dropped: readonly string[]) => {
  if (dropped.length === 0) return;
  const used = await ctx.db
    .selectFrom('upgrade_device')
    .innerJoin('device', 'device.id', 'upgrade_device.device_id')
    .select('device.model')
    .where('upgrade_device.firmware_id', '=', id)
    .where('upgrade_device.state', 'in', ['queued', 'sending', 'verifying'])
    .where('device.model', 'in', dropped)
    .executeTakeFirst();
  if (used) throw fail('firmware_model_used', { args: [used.model ?? ''] });
};

export const updateFirmware: Handler<typeof calls.update> = async (ctx, input) => {
  const before = await findFirmware(ctx, input.id);
  if (before.revision !== input.revision) throw fail('stale');
  const rule = await ruleOf(ctx, input);
  const model = modelsOf(input.model);
  const row = { remark: input.remark, release_desc: input.release_desc ?? null, ...rule };
  const stored: Record<string, unknown> = before;
  const entries = Object.entries({ ...row, model });
  const after = Object.fromEntries(entries.filter(([key, value]) => JSON.stringify(stored[key]) !== JSON.stringify(value)));
  if (Object.keys(after).length === 0) throw fail('unchanged');
  await refuseUsedModel(
    ctx,
    before.id,
    before.model.filter((m) => !model.includes(m)),
  );
  await ctx.db
    .updateTable('firmware')
    .set({ ...row, update_at: ctx.now(), revision: before.revision + 1 })
    .where('id', '=', before.id)
    .execute();
  if ('model' in after) await putModels(ctx, before.id, model);
  record(ctx, [`修改固件 ${before.version}`, `Changed firmware ${before.version}`], {
    before: Object.fromEntries(Object.keys(after).map((key) => [key, stored[key]])),
    after,
  });
};

export const removeFirmware: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const row = await findFirmware(ctx, id);
  const used = await ctx.db
    .selectFrom('upgrade_device')
    .select('id')
    .where('firmware_id', '=', id)
    .where('state', 'in', ['queued', 'sending', 'verifying'])
    .executeTakeFirst();
  if (used) throw fail('firmware_in_use');
  await ctx.db.deleteFrom('firmware').where('id', '=', id).execute();
  await dropFile(ctx, row.file_key);
  record(ctx, [`删除固件 ${row.version}`, `Deleted firmware ${row.version}`], { before: row });
};

/** Models of devices in scope, and models of visible versions. */
export const listModels: Handler<typeof calls.models> = async (ctx) => {
  const { rows } = await sql<{ model: string }>`
    select device.model from device where device.model is not null and ${inScope(ctx.me, 'device.agent_id', 'device.id')}
    union
    select firmware_model.model from firmware_model join firmware on firmware.id = firmware_model.firmware_id where ${seenBy(ctx.me)}
    order by 1 limit 1000`.execute(ctx.db);
  return Object.fromEntries(rows.map(({ model }) => [model, model]));
};
