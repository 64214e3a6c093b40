import { type Selectable, sql } from 'kysely';
import type { PackageTable } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { mayTake, type PackageKind } from './package-sql.ts';

export type PackageRow = Selectable<PackageTable>;

/** A package that this session may sell now; anything else, hidden ones included, is not a choice. */
export const findPackage = async (ctx: Pick<Ctx, 'db' | 'me' | 'now'>, id: number, kind: PackageKind): Promise<PackageRow> => {
  const row = await ctx.db
    .selectFrom('package')
    .selectAll()
    .where('id', '=', id)
    .where(mayTake(ctx.me, kind))
    .where((eb) => eb.or([eb('expire_at', 'is', null), eb('expire_at', '>', ctx.now())]))
    .executeTakeFirst();
  if (!row) throw failAt('package_id', ['请选择有效的套餐', 'Please select a valid package']);
  return row;
};

interface Place {
  readonly agent_id: number;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
}

/**
 * A package is sold by its own VNO and those below it, on the devices or groups that it names. An account of a group takes what any
 * device of the group offers; one that is bound to nothing takes what its VNO has.
 */
export const refuseNotOffered = async (db: Db, sold: PackageRow, to: Place): Promise<void> => {
  const { rows } = await sql<{ offered: boolean }>`
    select b.path like (select path from agent where id = ${sold.agent_id}) || '%' and (
      (${to.device_id}::bigint is null and ${to.device_group_id}::bigint is null)
      or ${to.device_id} = any(${sold.device_ids}::bigint[])
      or ${to.device_group_id} = any(${sold.device_group_ids}::bigint[])
      or exists (select from device d where d.id = ${to.device_id} and d.device_group_id = any(${sold.device_group_ids}::bigint[]))
      or exists (select from device d where d.device_group_id = ${to.device_group_id} and d.id = any(${sold.device_ids}::bigint[]))
    ) is true as offered
    from agent b where b.id = ${to.agent_id}`.execute(db);
  if (rows[0]?.offered !== true) throw fail('package_other_device');
};
