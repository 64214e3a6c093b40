import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Db } from '../../kit/deps.ts';
import { accountKey, deviceOf, scopeOf } from './joined-rows.ts';

type Where = RawBuilder<SqlBool>;
const empty = sql<string | null>`null::text`;

/** Rows without names and keys: a join in the query of a page would send these tables to all workers of Citus. */
const common = [
  'a.id',
  'a.device_id',
  'a.account',
  'a.ip',
  'a.mac',
  'a.at as create_at',
  'a.subscriber_id as user_id',
  'a.agent_id as vno_id',
  empty.as('agent_name'),
  empty.as('device_name'),
  empty.as('sn'),
  accountKey,
] as const;
const sealed = ['a.key_id', 'a.sealed'] as const;
const wrapped = empty.as('wrapped');

export const authRowsOf = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_auth as a')
    .select([...common, ...sealed, wrapped, 'a.auth_action', 'a.login_at', 'a.logout_at', 'a.public_ip', 'a.port_range'])
    .where(scopeOf(me))
    .where(where);

export const identityRowsOf = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_identity as a')
    .select([...common, 'a.app_name', 'a.identity', 'a.action', 'a.server_ip', 'a.server_port'])
    .where(scopeOf(me))
    .where(where);

export const urlRowsOf = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_url as a')
    .select([...common, 'a.host', 'a.url', 'a.title', 'a.category', 'a.server_ip', 'a.server_port'])
    .where(scopeOf(me))
    .where(where);

export const forumRowsOf = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_forum as a')
    .select([...common, ...sealed, wrapped, 'a.forum_name', 'a.forum_action', 'a.author', 'a.url'])
    .where(scopeOf(me))
    .where(where);

export const mailRowsOf = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_mail as a')
    .select([...common, ...sealed, wrapped, 'a.direction', 'a.attach_count', 'a.size'])
    .where(scopeOf(me))
    .where(where);

interface RowWithoutNames {
  readonly device_id: number;
  readonly vno_id: number;
  readonly key_id?: number | null;
}

/** Adds VNO, device and key to the rows of a page. The device has a name only if it is in scope now. */
export const withNames = async <Row extends RowWithoutNames>(db: Db, me: SessionInfo, rows: readonly Row[]): Promise<Row[]> => {
  if (rows.length === 0) return [];
  const idsOf = (id: (row: Row) => number | null | undefined) => [...new Set(rows.map(id).filter((one) => typeof one === 'number'))];
  const keyIds = idsOf(({ key_id }) => key_id);
  const [agents, devices, keys] = await Promise.all([
    db
      .selectFrom('agent')
      .select(['id', 'name'])
      .where(
        'id',
        'in',
        idsOf(({ vno_id }) => vno_id),
      )
      .execute(),
    db
      .selectFrom('device')
      .select(['id', 'name', 'sn'])
      .where(
        'id',
        'in',
        idsOf(({ device_id }) => device_id),
      )
      .where(deviceOf(me))
      .execute(),
    keyIds.length === 0 ? [] : db.selectFrom('audit_key').select(['id', 'wrapped']).where('id', 'in', keyIds).execute(),
  ]);
  const agentNames = new Map(agents.map(({ id, name }) => [id, name]));
  const known = new Map(devices.map((device) => [device.id, device]));
  const wraps = new Map(keys.map((key) => [key.id, key.wrapped]));
  return rows.map((row) => ({
    ...row,
    agent_name: agentNames.get(row.vno_id) ?? null,
    device_name: known.get(row.device_id)?.name ?? null,
    sn: known.get(row.device_id)?.sn ?? null,
    ...(row.key_id !== undefined && { wrapped: (row.key_id === null ? undefined : wraps.get(row.key_id)) ?? null }),
  }));
};
