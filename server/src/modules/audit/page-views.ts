import { authRows } from '@farlink/contract/audit/auth-account.ts';
import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { mailRows } from '@farlink/contract/audit/electronic-mail.ts';
import { forumRows } from '@farlink/contract/audit/network-forum.ts';
import { urlRows } from '@farlink/contract/audit/network-url.ts';
import { terminalRows } from '@farlink/contract/audit/terminal-acquisition.ts';
import { identityRows } from '@farlink/contract/audit/virtual-identity.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type SqlBool, sql } from 'kysely';
import { account, equal, equalIndex, ip, mac, type Search, urlStart } from './search-conditions.ts';

export interface View {
  readonly page: AuditPage;
  readonly resource: Resource;
  readonly search: Search;
}

const network = { account, ip, mac };
const byTime = { time: 'create_at', defaultDays: limits.auditDays } as const;
const lowerCase = (column: string) => (value: string) => equal(column)(value.toLowerCase());

export const views = {
  authAccount: {
    page: 'authAccount',
    resource: authRows,
    search: { ...byTime, plain: network, blind: { name: equalIndex('name_index'), phone: equalIndex('phone_index') } },
  },
  virtualIdentity: {
    page: 'virtualIdentity',
    resource: identityRows,
    search: { ...byTime, plain: { ...network, app_name: equal('app_name'), identity: equal('identity') }, masked: ['identity'] },
  },
  networkURL: {
    page: 'networkURL',
    resource: urlRows,
    search: { ...byTime, plain: { ...network, host: lowerCase('host'), url: urlStart, category: equal('category') } },
  },
  networkForum: {
    page: 'networkForum',
    resource: forumRows,
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
    search: { time: 'last_at', defaultDays: 90, plain: { account, mac, ssid: equal('ssid') } },
  },
} as const satisfies Record<AuditPage, View>;
