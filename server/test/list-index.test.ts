import { dangerSiteCalls } from '@farlink/contract/advanced/danger-site.ts';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { authRows } from '@farlink/contract/audit/auth-account.ts';
import { mailRows } from '@farlink/contract/audit/electronic-mail.ts';
import { forumRows } from '@farlink/contract/audit/network-forum.ts';
import { urlRows } from '@farlink/contract/audit/network-url.ts';
import { terminalRows } from '@farlink/contract/audit/terminal-acquisition.ts';
import { identityRows } from '@farlink/contract/audit/virtual-identity.ts';
import { cardCalls } from '@farlink/contract/card/card.ts';
import { backupCalls } from '@farlink/contract/device/backup.ts';
import { deviceCalls } from '@farlink/contract/device/device.ts';
import { billCalls } from '@farlink/contract/finance/bill.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { accountSyncLogCalls } from '@farlink/contract/log/account-sync-log.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { userAppLogCalls } from '@farlink/contract/log/user-app-log.ts';
import { userPackageCalls } from '@farlink/contract/package/user-package.ts';
import { userCalls } from '@farlink/contract/user/user.ts';
import { userBillCalls } from '@farlink/contract/user/user-bill.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Api, startApi } from './api.ts';

interface LongList {
  readonly resource: Resource;
  readonly table: string;
  /** Columns with another name or from another table. */
  readonly names?: Readonly<Record<string, string>>;
}

const auditNames = { account: 'lower(account)', create_at: 'at' };

/** Lists of tables that grow with accounts, devices, bills and operator actions. */
const longLists: Readonly<Record<string, LongList>> = {
  users: { resource: userCalls.list.resource, table: 'subscriber', names: { allow_logins: '((allow_logins)::bigint)' } },
  'user packages': {
    resource: userPackageCalls.list.resource,
    table: 'holding',
    names: { account: 'subscriber account', expire_at: 'ends_at' },
  },
  'counter bills': { resource: billCalls.counter.resource, table: 'ledger_entry' },
  'card bills': { resource: billCalls.card.resource, table: 'ledger_entry' },
  'opening bills': { resource: userBillCalls.list.resource, table: 'ledger_entry' },
  'online bills': { resource: billCalls.online.resource, table: 'pay_order' },
  cards: { resource: cardCalls.list.resource, table: 'recharge_card' },
  devices: {
    resource: deviceCalls.list.resource,
    table: 'device',
    names: { run_time: 'CASE', user_count: 'account_count' },
  },
  'dangerous websites': { resource: dangerSiteCalls.list.resource, table: 'danger_site' },
  backups: { resource: backupCalls.list.resource, table: 'device_backup' },
  'operator log': { resource: logCalls.own.resource, table: 'syslog' },
  'child log': { resource: logCalls.children.resource, table: 'syslog' },
  'sync log': { resource: accountSyncLogCalls.list.resource, table: 'sync_log' },
  'audit: accounts': { resource: authRows, table: 'audit_auth', names: auditNames },
  'audit: identities': { resource: identityRows, table: 'audit_identity', names: auditNames },
  'audit: sites': { resource: urlRows, table: 'audit_url', names: auditNames },
  'audit: forums': { resource: forumRows, table: 'audit_forum', names: auditNames },
  'audit: mails': { resource: mailRows, table: 'audit_mail', names: auditNames },
  'audit: terminals': { resource: terminalRows, table: 'audit_terminal_state' },
  'audit: access log': { resource: auditAccessLogCalls.list.resource, table: 'audit_look' },
  'policy log': { resource: userAppLogCalls.list.resource, table: 'policy_log' },
};

/** Leading column of each index of a table; bills have their channel first. */
const leadersOf = async (table: string) => {
  const { rows } = await api.deps.pool.query<{ indexdef: string }>('select indexdef from pg_indexes where tablename = $1', [table]);
  return rows.map(({ indexdef }) => (indexdef.match(/USING btree \((.*)\)/s)?.[1] ?? '').replace(/^channel, /, ''));
};

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const sortedBy = ({ columns, fields }: Resource) => columns.filter((name) => fields[name]?.sort);

test.each(Object.entries(longLists))('%s: every sortable column has an index', async (_, { resource, table, names }) => {
  const sorts = sortedBy(resource);
  expect(sorts).toContain('create_at' in resource.fields && resource.columns.includes('create_at') ? 'create_at' : sorts[0]);
  for (const name of sorts) {
    const [first = '', second] = (names?.[name] ?? name).split(' ');
    const leaders = await leadersOf(second === undefined ? table : first);
    const column = second ?? first;
    expect(
      leaders.filter((leader) => leader.replace(/^[(\s]+/, '').startsWith(column.replace(/^[(\s]+/, ''))),
      `${name} of ${table}`,
    ).not.toEqual([]);
  }
});

/** Filter and sort together: the first rows of the sort have other values of the filter, so neither index alone finds a page quickly. */
const pairs = [
  ['subscriber', /^status, expire_at, id\)/],
  ['recharge_card', /^status, used_at, id\)/],
  ['ledger_entry', /^net_income, id\) INCLUDE \(income, agent_id/],
  ['ledger_entry', /^bill_no, id\) .*WHERE \(expense_type = 'open'/],
] as const;

test.each(pairs)('%s: a filter and a sort that depend on each other have one index (%s)', async (table, columns) => {
  expect(await leadersOf(table)).toContainEqual(expect.stringMatching(columns));
});
