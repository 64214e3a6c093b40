import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope } from '../../kit/list/scope.ts';

type Where = RawBuilder<SqlBool>;

/** Rows of the scope. One VNO or one device is an equality, so that its index gives the order too. */
export const scopeOf = (me: SessionInfo): Where => {
  const { branch, rights } = me;
  const single = (column: string, ids: readonly number[] | null | undefined) =>
    ids?.length === 1 ? [sql<SqlBool>`${sql.ref(column)} = ${ids[0]}`] : [];
  return sql.join(
    [inScope(me, 'a.agent_id', 'a.device_id'), ...single('a.agent_id', branch), ...single('a.device_id', rights.device_ids)],
    sql` and `,
  );
};

/** Name of the device, only if the device is in scope now. */
export const deviceOf = (me: SessionInfo) => inScope(me, 'device.agent_id', 'device.id');

const common = [
  'a.id',
  'a.device_id',
  'a.account',
  'a.ip',
  'a.mac',
  'a.at as create_at',
  'a.subscriber_id as user_id',
  'a.agent_id as vno_id',
  'agent.name as agent_name',
  'device.name as device_name',
  'device.sn',
] as const;
const sealed = ['a.key_id', 'a.sealed', 'audit_key.wrapped'] as const;
export const accountKey = sql<string>`lower(a.account)`.as('account_key');

export const authQuery = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_auth as a')
    .leftJoin('agent', 'agent.id', 'a.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'a.device_id').on(deviceOf(me)))
    .leftJoin('audit_key', 'audit_key.id', 'a.key_id')
    .select([...common, ...sealed, 'a.auth_action', 'a.login_at', 'a.logout_at', 'a.public_ip', 'a.port_range', accountKey])
    .where(scopeOf(me))
    .where(where);

export const identityQuery = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_identity as a')
    .leftJoin('agent', 'agent.id', 'a.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'a.device_id').on(deviceOf(me)))
    .select([...common, 'a.app_name', 'a.identity', 'a.action', 'a.server_ip', 'a.server_port', accountKey])
    .where(scopeOf(me))
    .where(where);

export const urlQuery = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_url as a')
    .leftJoin('agent', 'agent.id', 'a.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'a.device_id').on(deviceOf(me)))
    .select([...common, 'a.host', 'a.url', 'a.title', 'a.category', 'a.server_ip', 'a.server_port', accountKey])
    .where(scopeOf(me))
    .where(where);

export const forumQuery = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_forum as a')
    .leftJoin('agent', 'agent.id', 'a.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'a.device_id').on(deviceOf(me)))
    .leftJoin('audit_key', 'audit_key.id', 'a.key_id')
    .select([...common, ...sealed, 'a.forum_name', 'a.forum_action', 'a.author', 'a.url', accountKey])
    .where(scopeOf(me))
    .where(where);

export const mailQuery = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_mail as a')
    .leftJoin('agent', 'agent.id', 'a.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'a.device_id').on(deviceOf(me)))
    .leftJoin('audit_key', 'audit_key.id', 'a.key_id')
    .select([...common, ...sealed, 'a.direction', 'a.attach_count', 'a.size', accountKey])
    .where(scopeOf(me))
    .where(where);

export const terminalQuery = (db: Db, me: SessionInfo, where: Where) =>
  db
    .selectFrom('audit_terminal_state as a')
    .leftJoin('agent', 'agent.id', 'a.agent_id')
    .leftJoin('device', (join) => join.onRef('device.id', '=', 'a.device_id').on(deviceOf(me)))
    .select([
      'a.id',
      'a.device_id',
      'a.account',
      'a.ip',
      'a.mac',
      'a.last_at as create_at',
      'a.subscriber_id as user_id',
      'a.agent_id as vno_id',
      'agent.name as agent_name',
      'device.name as device_name',
      'device.sn',
      'a.brand',
      'a.terminal_os',
      'a.ssid',
      'a.signal',
      'a.first_at',
      'a.last_at',
    ])
    .where(scopeOf(me))
    .where(where);
