import { authRows } from '@farlink/contract/audit/auth-account.ts';
import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { mailRows } from '@farlink/contract/audit/electronic-mail.ts';
import { forumRows } from '@farlink/contract/audit/network-forum.ts';
import { urlRows } from '@farlink/contract/audit/network-url.ts';
import { terminalRows } from '@farlink/contract/audit/terminal-acquisition.ts';
import { identityRows } from '@farlink/contract/audit/virtual-identity.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope } from '../../kit/list/scope.ts';
import { account, equal, equalIndex, ip, mac, type Search, urlStart } from './search-conditions.ts';

type Where = RawBuilder<SqlBool>;

export interface View {
  readonly page: AuditPage;
  readonly resource: Resource;
  readonly search: Search;
}

/** Rows of a page, without names. */
type Rows = (db: Db, me: SessionInfo, where: Where) => Expression<unknown>;

/** Conditions on the rows of the scope. One VNO or one device is an equality, so that its index gives the order too. */
const scoped = (me: SessionInfo, where: Where): Where => {
  const { branch, rights } = me;
  const single = (column: string, ids: readonly number[] | null | undefined) =>
    ids?.length === 1 ? [sql<SqlBool>`${sql.ref(column)} = ${ids[0]}`] : [];
  return sql.join(
    [inScope(me, 'a.agent_id', 'a.device_id'), ...single('a.agent_id', branch), ...single('a.device_id', rights.device_ids), where],
    sql` and `,
  );
};

const owner = ['a.id', 'a.device_id', 'a.account', 'a.ip', 'a.mac', 'a.subscriber_id as user_id', 'a.agent_id as vno_id'] as const;
const common = [...owner, 'a.at as create_at', sql<string>`lower(a.account)`.as('account_key')] as const;
const sealed = ['a.key_id', 'a.sealed'] as const;
const server = ['a.server_ip', 'a.server_port'] as const;

const network = { account, ip, mac };
const byTime = { time: 'create_at', defaultDays: limits.auditDays } as const;
const lowerCase = (column: string) => (value: string) => equal(column)(value.toLowerCase());

export const views = {
  authAccount: {
    page: 'authAccount',
    resource: authRows,
    rows: (db, me, where) =>
      db
        .selectFrom('audit_auth as a')
        .select([...common, ...sealed, 'a.auth_action', 'a.login_at', 'a.logout_at', 'a.public_ip', 'a.port_range'])
        .where(scoped(me, where)),
    search: { ...byTime, plain: network, blind: { name: equalIndex('name_index'), phone: equalIndex('phone_index') } },
  },
  virtualIdentity: {
    page: 'virtualIdentity',
    resource: identityRows,
    rows: (db, me, where) =>
      db
        .selectFrom('audit_identity as a')
        .select([...common, ...server, 'a.app_name', 'a.identity', 'a.action'])
        .where(scoped(me, where)),
    search: { ...byTime, plain: { ...network, app_name: equal('app_name'), identity: equal('identity') }, masked: ['identity'] },
  },
  networkURL: {
    page: 'networkURL',
    resource: urlRows,
    rows: (db, me, where) =>
      db
        .selectFrom('audit_url as a')
        .select([...common, ...server, 'a.host', 'a.url', 'a.title', 'a.category'])
        .where(scoped(me, where)),
    search: { ...byTime, plain: { ...network, host: lowerCase('host'), url: urlStart, category: equal('category') } },
  },
  networkForum: {
    page: 'networkForum',
    resource: forumRows,
    rows: (db, me, where) =>
      db
        .selectFrom('audit_forum as a')
        .select([...common, ...sealed, 'a.forum_name', 'a.forum_action', 'a.author', 'a.url'])
        .where(scoped(me, where)),
    search: {
      ...byTime,
      plain: { ...network, forum_name: equal('forum_name'), author: equal('author') },
      masked: ['author'],
      blind: { title: equalIndex('title_index') },
    },
  },
  electronicMail: {
    page: 'electronicMail',
    resource: mailRows,
    rows: (db, me, where) =>
      db
        .selectFrom('audit_mail as a')
        .select([...common, ...sealed, 'a.direction', 'a.attach_count', 'a.size'])
        .where(scoped(me, where)),
    search: {
      ...byTime,
      plain: network,
      blind: {
        sender: equalIndex('sender_index'),
        receiver: (index: string) => sql<SqlBool>`a.receiver_index @> array[${index}::bigint]`,
        subject: equalIndex('subject_index'),
      },
    },
  },
  terminalAcquisition: {
    page: 'terminalAcquisition',
    resource: terminalRows,
    rows: (db, me, where) =>
      db
        .selectFrom('audit_terminal_state as a')
        .select([...owner, 'a.last_at as create_at', 'a.brand', 'a.terminal_os', 'a.ssid', 'a.signal', 'a.first_at', 'a.last_at'])
        .where(scoped(me, where)),
    search: { time: 'last_at', defaultDays: 90, plain: { account, mac, ssid: equal('ssid') } },
  },
} as const satisfies Record<AuditPage, View & { readonly rows: Rows }>;
