import { errors } from '@farlink/contract/errors.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { fill } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { extraCalls } from '@farlink/contract/package/extra-package.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { pastExpiry } from '@farlink/contract/package/package-rules.ts';
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely';
import type { PackageTable } from '../../db/tables.ts';
import { maySeePackage, type PackageKind } from '../../domain/package/package-sql.ts';
import { recheckLater } from '../../domain/subscriber/recheck-job.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { isOfOrAbove } from '../../kit/list/ancestry.ts';
import { hasOnlyDevicesInScope, wholeGroupScope } from '../../kit/list/device-scope.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { inScope } from '../../kit/list/scope.ts';
import { nameObject, record } from '../../kit/log/record.ts';
import { extraQuery, packageQuery } from './package-query.ts';

export const listPackages: Handler<typeof packageCalls.list> = (ctx, input) =>
  pageOf(ctx.db, packageCalls.list, input, packageQuery(ctx.db, ctx, 'online'));

export const listExtras: Handler<typeof extraCalls.list> = (ctx, input) => pageOf(ctx.db, extraCalls.list, input, extraQuery(ctx.db, ctx));

interface Input {
  readonly name: string;
  readonly package_type: 'time' | 'flow' | 'time_flow';
  readonly price: string;
  readonly bind_type: 'device' | 'group';
  readonly device_id?: readonly number[] | null;
  readonly device_group_id?: readonly number[] | null;
  readonly application_id?: number | null;
  readonly policy_id?: number | null;
  readonly cycle_enable?: boolean | null;
  readonly expire_at?: number | null;
}

type Table = 'device' | 'device_group' | 'application' | 'policy';
type PackageOwner = Pick<Selectable<PackageTable>, 'agent_id'> & Partial<Pick<Selectable<PackageTable>, 'application_id' | 'policy_id'>>;

const scopeOf = ({ me }: Ctx, table: Table, vnoId: number) => {
  if (table === 'device') return inScope(me, 'device.agent_id', 'device.id');
  if (table === 'device_group') return wholeGroupScope(me);
  return sql<SqlBool>`${inScope(me, `${table}.agent_id`)} and ${isOfOrAbove(`${table}.agent_id`, vnoId)}`;
};

/** Devices and groups must be in scope; templates must belong to the VNO of the package or a VNO above it. */
const refuseForeign = async (ctx: Ctx, input: Input, stored: PackageOwner) => {
  const count = async (table: Table, ids: readonly number[]) => {
    const found = await ctx.db
      .selectFrom(table)
      .select('id')
      .where('id', 'in', ids)
      .where(scopeOf(ctx, table, stored.agent_id))
      .execute();
    return found.length;
  };
  const wrong = async (field: keyof Input, table: Parameters<typeof count>[0], ids: readonly number[]) => {
    if (ids.length > 0 && (await count(table, ids)) !== ids.length)
      throw failAt(field, ['请选择有效的数据', 'Please select a valid entry']);
  };
  if (input.bind_type === 'device') await wrong('device_id', 'device', input.device_id ?? []);
  else await wrong('device_group_id', 'device_group', input.device_group_id ?? []);
  for (const field of ['application_id', 'policy_id'] as const) {
    const id = input[field];
    // The current template of the package may stay, whichever VNO owns it.
    if (id && id !== stored[field]) await wrong(field, field === 'policy_id' ? 'policy' : 'application', [id]);
  }
};

/** Fields that determine the status of a holding. */
const statusFields = [
  'package_type',
  'time_capacity',
  'time_unit',
  'flow_capacity',
  'flow_unit',
  'cycle_length',
  'cycle_unit',
  'cycle_quota',
  'cycle_quota_unit',
  'priority',
  'policy_id',
] as const;
/** Fields that determine what a gateway and RADIUS grant: a change must reach the accounts that hold the package. */
const serviceFields = [
  ...statusFields,
  'up_speed',
  'down_speed',
  'up_guarantee',
  'down_guarantee',
  'own_up_speed',
  'own_down_speed',
  'application_id',
] as const;
const own = new Set<keyof PackageTable>([
  ...serviceFields,
  'name',
  'price',
  'weight',
  'online_type',
  'expire_at',
  'is_hide',
  'description',
]);
const withDefault = {
  up_speed: 0,
  down_speed: 0,
  up_guarantee: 0,
  down_guarantee: 0,
  priority: 100,
  weight: 0,
  online_type: 0,
  is_hide: false,
} as const;

/** A price above the maximum of a bill cannot be sold. */
const refuseOverBillMax = ({ price }: Input) => {
  if (cents(price) > cents(limits.billMax)) throw failAt('price', fill(errors.bill_too_large.text, limits.billMax));
};

/** Row of the form values; switched-off fields are null. */
const rowOf = (input: Input) => {
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(input).flatMap(([key, value]) => (own.has(key as keyof PackageTable) ? [[key, value ?? null]] : [])),
  );
  for (const [key, value] of Object.entries(withDefault)) values[key] ??= value;
  return {
    ...values,
    name: input.name,
    package_type: input.package_type,
    price: input.price,
    device_ids: input.bind_type === 'device' ? [...(input.device_id ?? [])] : null,
    device_group_ids: input.bind_type === 'group' ? [...(input.device_group_id ?? [])] : null,
  };
};

const findPackage = async (ctx: Ctx, id: number, kind: PackageKind) => {
  const row = await ctx.db
    .selectFrom('package')
    .selectAll()
    .where('id', '=', id)
    .where(maySeePackage(ctx.me, kind))
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  nameObject(ctx, row.name);
  await refuseShared(ctx, row);
  return row;
};

/** With a device scope, a package that other devices use cannot be changed. */
const refuseShared = async (ctx: Ctx, { device_ids, device_group_ids }: Selectable<PackageTable>) => {
  const devices = sql`select unnest(${device_ids ?? []}::bigint[]) as id
    union all select member.id from device member where member.device_group_id = any(${device_group_ids ?? []}::bigint[])`;
  const { rows } = await sql<{ own: boolean }>`select ${hasOnlyDevicesInScope(ctx.me, devices)} as own`.execute(ctx.db);
  if (rows[0]?.own !== true) throw fail('package_shared');
};

const refuseHidden = (ctx: Ctx, row: Partial<Insertable<PackageTable>>) => {
  if (row.is_hide && !ctx.me.view_hide_pkg) throw failAt('is_hide', errors.denied.text);
};

/** An expired package can still be changed otherwise. */
const refusePast = ({ expire_at }: Input, stored: number | null, now: number) => {
  if (typeof expire_at === 'number' && expire_at !== stored && expire_at <= now) throw failAt('expire_at', pastExpiry);
};

const createOf = (kind: PackageKind) => async (ctx: Ctx, input: Input) => {
  refuseOverBillMax(input);
  await refuseForeign(ctx, input, ctx.me);
  const row = rowOf(input);
  refuseHidden(ctx, row);
  const now = ctx.now();
  const { id } = await ctx.db
    .insertInto('package')
    .values({ ...row, kind, agent_id: ctx.me.agent_id, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  record(ctx, [`新增套餐 ${input.name}`, `Created package ${input.name}`], { after: { kind, ...row } });
  return { id };
};

const updateOf = (kind: PackageKind) => async (ctx: Ctx, input: Input & { readonly id: number; readonly version: number }) => {
  const before = await findPackage(ctx, input.id, kind);
  if (before.version !== input.version) throw fail('stale');
  refuseOverBillMax(input);
  refusePast(input, before.expire_at, ctx.now());
  await refuseForeign(ctx, input, before);
  const row = rowOf(input);
  refuseHidden(ctx, row);
  const stored: Record<string, unknown> = before;
  const after = Object.fromEntries(Object.entries(row).filter(([key, value]) => JSON.stringify(stored[key]) !== JSON.stringify(value)));
  if (Object.keys(after).length === 0) throw fail('unchanged');
  await ctx.db
    .updateTable('package')
    .set({ ...row, update_at: ctx.now(), version: before.version + 1 })
    .where('id', '=', before.id)
    .execute();
  if (serviceFields.some((name) => name in after)) await recheckLater(ctx, { package_id: before.id });
  record(ctx, [`修改套餐 ${before.name}`, `Changed package ${before.name}`], {
    before: Object.fromEntries(Object.keys(after).map((key) => [key, stored[key]])),
    after,
  });
};

const removeOf =
  (kind: PackageKind) =>
  async (ctx: Ctx, { id }: { readonly id: number }) => {
    const row = await findPackage(ctx, id, kind);
    const used = await ctx.db.selectFrom('holding').select('id').where('package_id', '=', id).executeTakeFirst();
    if (used) throw fail('package_in_use');
    await ctx.db.deleteFrom('package').where('id', '=', id).execute();
    record(ctx, [`删除套餐 ${row.name}`, `Deleted package ${row.name}`], { before: row });
  };

/** Form values of a stored row. */
const formOf = (
  row: Selectable<PackageTable>,
  shown: { readonly device_id: number[] | null; readonly device_group_id: number[] | null },
) => ({
  ...row,
  bind_type: row.device_ids ? ('device' as const) : ('group' as const),
  device_id: shown.device_id ?? [],
  device_group_id: shown.device_group_id ?? [],
  cycle_enable: row.cycle_length !== null,
});

const storedRow = (ctx: Ctx, id: number, kind: PackageKind) =>
  ctx.db.selectFrom('package').selectAll().where('id', '=', id).where(maySeePackage(ctx.me, kind)).executeTakeFirst();

export const readPackage: Handler<typeof packageCalls.read> = async (ctx, { id }) => {
  const [row, shown] = await Promise.all([
    storedRow(ctx, id, 'online'),
    packageQuery(ctx.db, ctx, 'online').where('package.id', '=', id).executeTakeFirst(),
  ]);
  if (!row || !shown) throw fail('not_found');
  return { ...shown, ...formOf(row, shown), up_guarantee: shown.up_guarantee, down_guarantee: shown.down_guarantee };
};

export const readExtra: Handler<typeof extraCalls.read> = async (ctx, { id }) => {
  const [row, shown] = await Promise.all([
    storedRow(ctx, id, 'extra'),
    packageQuery(ctx.db, ctx, 'extra').where('package.id', '=', id).executeTakeFirst(),
  ]);
  if (!row || !shown) throw fail('not_found');
  return { ...shown, ...formOf(row, shown) };
};

export const createPackage: Handler<typeof packageCalls.create> = createOf('online');
export const updatePackage: Handler<typeof packageCalls.update> = updateOf('online');
export const removePackage: Handler<typeof packageCalls.remove> = removeOf('online');
export const createExtra: Handler<typeof extraCalls.create> = createOf('extra');
export const updateExtra: Handler<typeof extraCalls.update> = updateOf('extra');
export const removeExtra: Handler<typeof extraCalls.remove> = removeOf('extra');

export const packageOptions: Handler<typeof packageCalls.option> = async (ctx, { kind, periodic }) => {
  const rows = await ctx.db
    .selectFrom('package')
    .innerJoin('agent', 'agent.id', 'package.agent_id')
    .select(['package.id', 'package.name', 'package.weight', 'package.agent_id', 'agent.name as agent_name'])
    .where(maySeePackage(ctx.me, kind === 'addition' ? 'extra' : 'online'))
    .where(
      periodic === undefined || periodic === null ? sql<SqlBool>`true` : sql<SqlBool>`(package.cycle_length is not null) = ${periodic}`,
    )
    .where((eb) => eb.or([eb('package.expire_at', 'is', null), eb('package.expire_at', '>', ctx.now())]))
    .orderBy('weight', 'desc')
    .orderBy('package.name')
    .limit(10_000)
    .execute();
  // JavaScript objects sort integer keys, so the console sorts by weight and name.
  const called = ownedOptions(ctx.me, rows);
  return Object.fromEntries(rows.map(({ id, name, weight }) => [id, { name: called[id] ?? name, weight }]));
};
