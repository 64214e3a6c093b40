import { errors } from '@farlink/contract/errors.ts';
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { runPrepared } from '../../db/prepare.ts';
import type { PackageTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { maySeePackage, type PackageKind } from './package-sql.ts';

export type PackageRow = Selectable<PackageTable>;

/** A package that this session may sell now. Any other, including hidden ones, is refused. */
export const findPackage = async (ctx: Pick<Ctx, 'db' | 'me' | 'now'>, id: number, kind: PackageKind): Promise<PackageRow> => {
  const row = await ctx.db
    .selectFrom('package')
    .selectAll()
    .where('id', '=', id)
    .where(maySeePackage(ctx.me, kind))
    .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', ctx.now())]))
    .executeTakeFirst();
  if (!row) throw failAt('package_id', ['请选择有效的套餐', 'Please select a valid package']);
  return row;
};

export interface DeviceBinding {
  readonly agent_id: number;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
}

/**
 * A package is sold by its own VNO and the VNOs below it, on its devices or groups. An account of a group may buy the packages of any
 * device in the group; an unbound account, those of its VNO.
 */
export const offeredAt = ({ agent_id, device_id, device_group_id }: DeviceBinding): RawBuilder<SqlBool> => sql<SqlBool>`(
  exists (select from agent buyer, agent seller
    where buyer.id = ${agent_id} and seller.id = package.agent_id and buyer.path like seller.path || '%')
  and (
    (${device_id}::bigint is null and ${device_group_id}::bigint is null)
    or ${device_id}::bigint = any(package.device_ids)
    or ${device_group_id}::bigint = any(package.device_group_ids)
    or exists (select from device d where d.id = ${device_id} and d.device_group_id = any(package.device_group_ids))
    or exists (select from device d where d.device_group_id = ${device_group_id} and d.id = any(package.device_ids))
  )) is true`;

/** The online package that the account used last, hidden or not, if it can still be granted where the account is. */
export const findRenewal = (db: Db, account: DeviceBinding & { readonly id: number }, now: number): Promise<PackageRow | undefined> => {
  const last = db
    .selectFrom('holding')
    .innerJoin('package', 'package.id', 'holding.package_id')
    .select('package.id')
    .where('holding.subscriber_id', '=', account.id)
    .where('package.kind', '=', 'online')
    .where('holding.activated_at', 'is not', null)
    .orderBy('holding.activated_at', 'desc')
    .orderBy('holding.id', 'desc')
    .limit(1);
  return db
    .selectFrom('package')
    .selectAll()
    .where('id', '=', last)
    .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', now)]))
    .where(offeredAt(account))
    .executeTakeFirst();
};

export const refuseNotOffered = async (db: Db, sold: PackageRow, to: DeviceBinding): Promise<void> => {
  const { rows } = await runPrepared(db, db.selectFrom('package').select('id').where('id', '=', sold.id).where(offeredAt(to)));
  if (rows.length === 0) throw fail('package_other_device', { fields: { package_id: errors.package_other_device.text } });
};
