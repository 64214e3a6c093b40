import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { wholeGroupScope } from '../../kit/list/device-scope.ts';
import { inScope } from '../../kit/list/scope.ts';

export interface TempReleaseTargets {
  readonly target: 'all' | 'device' | 'group';
  readonly device_ids: readonly number[];
  readonly device_group_ids: readonly number[];
}

const texts = {
  device: ['请选择有效的设备', 'Please select valid devices'],
  group: ['请选择有效的设备组', 'Please select valid groups'],
  deviceTaken: ['设备 {0} 已在其他规则中', 'Device {0} is already in another rule'],
  groupTaken: ['设备组 {0} 已在其他规则中', 'Group {0} is already in another rule'],
  allTaken: ['已有适用于全部设备的规则', 'There is already a rule for all devices'],
  limited: ['您的管理范围限于设备', 'Your management scope is limited to devices'],
} as const satisfies Record<string, Text>;

const ruleTables = {
  device: { table: 'device', members: 'release_rule_device', column: 'device_id', field: 'device_ids' },
  group: { table: 'device_group', members: 'release_rule_group', column: 'device_group_id', field: 'device_group_ids' },
} as const;

/** Rules are written under the lock of their VNO, so that two writers see each other's devices and groups. */
export const lockVno = async (ctx: Ctx, vnoId: number) => {
  await sql`select from agent where id = ${vnoId} for no key update`.execute(ctx.db);
};

const scopeOf = ({ me }: Ctx, kind: keyof typeof ruleTables): RawBuilder<SqlBool> =>
  kind === 'device' ? inScope(me, 'device.agent_id', 'device.id') : wholeGroupScope(me);

/** The rows are in scope and belong to the VNO of the rule or to one below it. */
const requireRows = async (ctx: Ctx, vnoId: number, kind: keyof typeof ruleTables, ids: readonly number[]) => {
  const { table, field } = ruleTables[kind];
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from ${sql.table(table)} where ${sql.ref(`${table}.id`)} = any(${ids}::bigint[]) and ${scopeOf(ctx, kind)}
    and ${sql.ref(`${table}.agent_id`)} = any(array(select a.id from agent a where a.path like (select path from agent where id = ${vnoId}) || '%'))`.execute(
    ctx.db,
  );
  if (ids.length === 0 || rows[0]?.n !== ids.length) throw failAt(field, texts[kind]);
};

const refuseTaken = async (ctx: Ctx, kind: keyof typeof ruleTables, ids: readonly number[], ruleId: number) => {
  const { table, members, column, field } = ruleTables[kind];
  const { rows } = await sql<{ name: string }>`
    select t.name from ${sql.table(members)} m join ${sql.table(table)} t on t.id = ${sql.ref(`m.${column}`)}
    where ${sql.ref(`m.${column}`)} = any(${ids}::bigint[]) and m.rule_id <> ${ruleId} order by t.name limit 1`.execute(ctx.db);
  const [taken] = rows;
  if (taken) throw failAt(field, fill(kind === 'device' ? texts.deviceTaken : texts.groupTaken, taken.name));
};

const refuseSecondAll = async (ctx: Ctx, vnoId: number, ruleId: number) => {
  if (ctx.me.rights.device_ids) throw failAt('target', texts.limited);
  const other = ctx.db.selectFrom('release_rule').select('id').where('agent_id', '=', vnoId).where('target', '=', 'all');
  if (await other.where('id', '<>', ruleId).executeTakeFirst()) throw failAt('target', texts.allTaken);
};

/** Devices and groups that the chosen target does not use are dropped. */
export const targetsOf = (input: {
  readonly target: TempReleaseTargets['target'];
  readonly device_ids?: readonly number[] | null | undefined;
  readonly device_group_ids?: readonly number[] | null | undefined;
}): TempReleaseTargets => ({
  target: input.target,
  device_ids: input.target === 'device' ? [...new Set(input.device_ids ?? [])].sort((a, b) => a - b) : [],
  device_group_ids: input.target === 'group' ? [...new Set(input.device_group_ids ?? [])].sort((a, b) => a - b) : [],
});

/** Call it under `lockVno`. */
export const refuseTargets = async (ctx: Ctx, vnoId: number, { target, device_ids, device_group_ids }: TempReleaseTargets, ruleId = 0) => {
  if (target === 'all') return refuseSecondAll(ctx, vnoId, ruleId);
  const ids = target === 'device' ? device_ids : device_group_ids;
  await requireRows(ctx, vnoId, target, ids);
  await refuseTaken(ctx, target, ids, ruleId);
};

const replaceMembers = async (ctx: Ctx, ruleId: number, kind: keyof typeof ruleTables, ids: readonly number[]) => {
  const { members, column } = ruleTables[kind];
  await sql`delete from ${sql.table(members)} where rule_id = ${ruleId} and ${sql.ref(column)} <> all(${ids}::bigint[])`.execute(ctx.db);
  await sql`insert into ${sql.table(members)} (${sql.ref(column)}, rule_id)
    select id, ${ruleId} from unnest(${ids}::bigint[]) as id
    where not exists (select from ${sql.table(members)} m where ${sql.ref(`m.${column}`)} = id and m.rule_id = ${ruleId}) order by id`.execute(
    ctx.db,
  );
};

/** Only added and removed devices and groups are written, so the others get no message. */
export const saveTargets = async (ctx: Ctx, ruleId: number, { device_ids, device_group_ids }: TempReleaseTargets) => {
  await replaceMembers(ctx, ruleId, 'device', device_ids);
  await replaceMembers(ctx, ruleId, 'group', device_group_ids);
};
