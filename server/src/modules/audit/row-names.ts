import { type RawBuilder, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { siteNames } from '../../domain/radius/site-names.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope } from '../../kit/list/scope.ts';

/** The device has a name only if it is in scope now, because its new VNO may have renamed it. */
const deviceScope = (me: SessionInfo) => inScope(me, 'device.agent_id', 'device.id');

export interface RowWithoutNames {
  readonly device_id: number;
  readonly vno_id: number;
  readonly key_id?: number | null;
}

export interface Names {
  readonly agent_name: string | null;
  readonly device_name: string | null;
  readonly sn: string | null;
  /** Key of the sealed values, if it still exists. */
  readonly wrapped: string | null;
}

/** Keys of sealed values that still exist. */
export const wrappedKeys = async (db: Db, ids: readonly (number | null | undefined)[]): Promise<ReadonlyMap<unknown, string>> => {
  const known = [...new Set(ids.filter((id) => typeof id === 'number'))];
  if (known.length === 0) return new Map();
  const keys = await db.selectFrom('audit_key').select(['id', 'wrapped']).where('id', 'in', known).execute();
  return new Map(keys.map(({ id, wrapped }) => [id, wrapped]));
};

/** Adds VNO, device and key to the rows of a page: a join in the query of a page would send these tables to all workers of Citus. */
export const withNames = async <Row extends RowWithoutNames>(db: Db, me: SessionInfo, rows: readonly Row[]): Promise<(Row & Names)[]> => {
  if (rows.length === 0) return [];
  const vnoIds = rows.map(({ vno_id }) => vno_id);
  const deviceIds = rows.map(({ device_id }) => device_id);
  const [vnos, sites, keys] = await Promise.all([
    db
      .selectFrom('agent')
      .select(['id', 'name'])
      .where('id', 'in', [...new Set(vnoIds)])
      .execute(),
    siteNames(db, me, deviceIds),
    wrappedKeys(
      db,
      rows.map(({ key_id }) => key_id),
    ),
  ]);
  const vnoNames = new Map(vnos.map(({ id, name }) => [id, name]));
  return rows.map((row) => ({
    ...row,
    agent_name: vnoNames.get(row.vno_id) ?? null,
    device_name: sites.get(row.device_id)?.name ?? null,
    sn: sites.get(row.device_id)?.sn ?? null,
    wrapped: keys.get(row.key_id) ?? null,
  }));
};

/** The same names in one statement, for an export. */
export const joinedNames = (me: SessionInfo, rows: RawBuilder<unknown>, isSealed: boolean): RawBuilder<unknown> => sql`(
  select t.*, agent.name as agent_name, coalesce(device.name, nas.name) as device_name, coalesce(device.sn, nas.identifier) as sn${isSealed ? sql`, audit_key.wrapped` : sql``} from ${rows} as t
    left join agent on agent.id = t.vno_id
    left join device on device.id = t.device_id and ${deviceScope(me)}
    left join nas on nas.id = -t.device_id and ${inScope(me, 'nas.agent_id', 'nas.device_id')}
    ${isSealed ? sql`left join audit_key on audit_key.id = t.key_id` : sql``})`;
