import { sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { capacityText, cycleText, flowText, maySeePackage, type PackageKind, timeText } from '../../domain/package/package-sql.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { groupScope } from '../../kit/list/device-scope.ts';

type Reader = Pick<Ctx, 'me' | 'lang'>;

/** Devices or groups of a package; with a device scope, only those in scope. */
const seen = (me: SessionInfo, table: 'device' | 'device_group', ids: string) => {
  const named = me.rights.device_ids;
  const scope = !named ? sql`true` : table === 'device' ? sql`d.id = any(${named}::bigint[])` : groupScope(me, 'd');
  return sql`from ${sql.table(table)} d where d.id = any(${sql.ref(ids)}) and ${scope}`;
};
const names = (me: SessionInfo, table: 'device' | 'device_group', ids: string) =>
  sql<string[]>`array(select d.name ${seen(me, table, ids)} order by d.name, d.id)`;
/** Ids in the order of the names. */
const links = (me: SessionInfo, ids: string) => sql<number[]>`array(select d.id ${seen(me, 'device', ids)} order by d.name, d.id)`;
const idsOf = (me: SessionInfo, table: 'device' | 'device_group', ids: string) =>
  me.rights.device_ids
    ? sql<number[] | null>`case when ${sql.ref(ids)} is not null then array(select d.id ${seen(me, table, ids)} order by d.id) end`
    : sql<number[] | null>`${sql.ref(ids)}`;

export const packageQuery = (db: Db, { me, lang }: Reader, kind: PackageKind) =>
  db
    .selectFrom('package')
    .leftJoin('agent', 'agent.id', 'package.agent_id')
    .leftJoin('application', 'application.id', 'package.application_id')
    .leftJoin('policy', 'policy.id', 'package.policy_id')
    .select([
      'package.id',
      'package.version',
      'package.name',
      'package.package_type',
      'package.up_speed',
      'package.down_speed',
      'package.own_up_speed',
      'package.own_down_speed',
      'package.price',
      'package.priority',
      'package.weight',
      'package.online_type',
      'package.is_hide',
      'application.name as application_name',
      'policy.name as policy_name',
      'package.description',
      'agent.name as agent_name',
      'package.expire_at',
      'package.create_at',
      'package.agent_id as vno_id',
      'package.application_id',
      'package.policy_id',
      'package.used_count',
      idsOf(me, 'device', 'package.device_ids').as('device_id'),
      idsOf(me, 'device_group', 'package.device_group_ids').as('device_group_id'),
      // A guarantee of 0 means none; a limit of 0 means no limit.
      sql<number | null>`nullif(package.up_guarantee, 0)`.as('up_guarantee'),
      sql<number | null>`nullif(package.down_guarantee, 0)`.as('down_guarantee'),
      capacityText(lang).as('capacity'),
      cycleText(lang).as('cycle'),
      names(me, 'device', 'package.device_ids').as('device_name'),
      links(me, 'package.device_ids').as('device_links'),
      names(me, 'device_group', 'package.device_group_ids').as('group_name'),
    ])
    .where(maySeePackage(me, kind));

/** Adds the capacity columns of an extra package. */
export const extraQuery = (db: Db, reader: Reader) =>
  packageQuery(db, reader, 'extra').select([timeText(reader.lang).as('time_capacity'), flowText.as('flow_capacity')]);
