import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { auditAccessLogCalls } from '@farlink/contract/audit/audit-access-log.ts';
import { auditRevealCalls } from '@farlink/contract/audit/audit-reveal.ts';
import { auditAuthCalls } from '@farlink/contract/audit/auth-account.ts';
import { auditPage } from '@farlink/contract/audit/choices.ts';
import { auditMailCalls } from '@farlink/contract/audit/electronic-mail.ts';
import { auditForumCalls } from '@farlink/contract/audit/network-forum.ts';
import { auditUrlCalls } from '@farlink/contract/audit/network-url.ts';
import { auditTerminalCalls } from '@farlink/contract/audit/terminal-acquisition.ts';
import { auditIdentityCalls } from '@farlink/contract/audit/virtual-identity.ts';
import { errors } from '@farlink/contract/errors.ts';
import { exportCalls, exportState } from '@farlink/contract/export/export.ts';
import type { Endpoint } from '@farlink/contract/kit/endpoint.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, startApi } from '../../../test/api.ts';
import { makeAuditShip, maskedSamples, sealedSamples } from '../../../test/audit-rows.ts';
import { unzip } from '../../../test/setup/unzip.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { sealRound } from '../../domain/audit/seal-job.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { createLog } from '../../kit/log/log.ts';
import { connectionChannel, liveChannel } from '../../orders/notify.ts';
import { auditExports } from './export-audit.ts';

/** Without the right to reveal, no answer, file, log, error or stored row contains a sealed value. */

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let reader: Caller;
let ship: Awaited<ReturnType<typeof makeAuditShip>>;
let client: PoolClient;
const heard: string[] = [];
/** Everything that the server writes to its log. */
const logged: string[] = [];

const pagesOfAudit = [
  'auth_account',
  'virtual_identity',
  'network_url',
  'network_forum',
  'electronic_mail',
  'terminal_acquisition',
] as const;
const lists = [auditAuthCalls.list, auditIdentityCalls.list, auditUrlCalls.list, auditForumCalls.list, auditMailCalls.list] as const;
const exports = {
  authAccount: auditAuthCalls.export,
  virtualIdentity: auditIdentityCalls.export,
  networkURL: auditUrlCalls.export,
  networkForum: auditForumCalls.export,
  electronicMail: auditMailCalls.export,
  terminalAcquisition: auditTerminalCalls.export,
} as const;
const secrets = Object.values({ ...sealedSamples, ...maskedSamples });
const sealedFilters: readonly (readonly [Endpoint, string])[] = [
  [auditAuthCalls.list, 'name'],
  [auditAuthCalls.list, 'phone'],
  [auditForumCalls.list, 'title'],
  [auditForumCalls.list, 'author'],
  [auditMailCalls.list, 'sender'],
  [auditMailCalls.list, 'receiver'],
  [auditMailCalls.list, 'subject'],
  [auditIdentityCalls.list, 'identity'],
];
const samples: Readonly<Record<string, string>> = { ...sealedSamples, ...maskedSamples };

const expectNoSecret = (text: string, where: string) => {
  for (const secret of secrets) expect(text.includes(secret), `${secret} in ${where}`).toBe(false);
};
const enterReasons = async (by: Caller) => {
  for (const { id } of auditPage) await by.call(auditAccessLogCalls.giveReason, { page: id, reason: '公安协查函 17' });
};
const staff = async (name: string, pages: readonly string[]) => {
  await makeStaff(world.east, name, await makeRole(world.east, name, grantsOf(pages)));
  const by = await api.login(name);
  await enterReasons(by);
  return by;
};
const run = async () => {
  const jobs = startJobs(api.deps, exportJobs(auditExports), { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
};
const download = async (by: Caller, id: number) =>
  (await fetch(`${api.base}/agt/v1/export/download/${id}`, { headers: { authorization: by.session?.token ?? '' } })).text();

beforeAll(async () => {
  api = await startApi({}, undefined, createLog('trace', { write: (line) => void logged.push(line) }));
  client = await api.deps.pool.connect();
  // Live events go through notifications.
  for (const channel of [liveChannel, connectionChannel]) await client.query(`listen ${channel}`);
  client.on('notification', ({ payload }) => heard.push(payload ?? ''));
  world = await makeBranches(api);
  ship = await makeAuditShip(api, { agentId: world.eastId, sn: 'EAST1', account: 'Anna' });
  reader = await staff('reader', [...pagesOfAudit, 'audit_look', 'system_log']);
  await enterReasons(world.east);
});
afterAll(async () => {
  client.release(true);
  await api.close();
});

it('lists and searches return no sealed values', async () => {
  for (const call of lists)
    for (const lang of ['zh', 'en']) {
      const reply = await reader.call(call, { lang, limit: 100 });
      expect(reply.code).toBe(0);
      expect(JSON.stringify(reply)).toContain('Anna');
      expectNoSecret(JSON.stringify(reply), call.path);
    }
  for (const [call, filter] of sealedFilters) {
    const reply = await reader.call(call, { [filter]: samples[filter] });
    expect(reply.data, filter).toMatchObject({ total: 1 });
    expectNoSecret(JSON.stringify(reply), `${call.path} by ${filter}`);
  }
  expectNoSecret(JSON.stringify(await reader.call(auditAuthCalls.list, { view: 'terminal' })), 'terminals');
});

it('refusals contain no sealed values', async () => {
  const id = (await reader.call(auditAuthCalls.list, {})).data.list[0]?.id;
  const denied = await reader.call(auditRevealCalls.reveal, { page: 'authAccount', id });
  expect(denied.code).toBe(errors.denied.code);
  expectNoSecret(JSON.stringify(denied), 'reveal');
  const bad = await reader.call(auditAuthCalls.list, { name: sealedSamples.name, mac: 'x' });
  expect(fieldsOf(bad)).toHaveProperty('mac');
  expectNoSecret(JSON.stringify(bad), 'a refused filter');
});

it('exports without the right to reveal are masked, and the list of exports has no sealed value', async () => {
  for (const [page, call] of Object.entries(exports)) {
    const refused = await reader.call(call, { content: 'clear', format: 'csv' });
    expect(fieldsOf(refused), page).toHaveProperty('content');
    const started = await reader.call(call, { format: 'csv' });
    expect(started.code, page).toBe(0);
    await run();
    const text = await download(reader, started.data.id);
    expect(text, page).toContain('Anna');
    expectNoSecret(text, page);
  }
  for (const [, filter] of sealedFilters.filter(([call]) => call === auditMailCalls.list)) {
    const started = await reader.call(auditMailCalls.export, { format: 'csv', [filter]: samples[filter] });
    expect(started.code, filter).toBe(0);
    await run();
    expectNoSecret(await download(reader, started.data.id), filter);
  }
  const { data } = await reader.call(exportCalls.list, { limit: 100 });
  expect(data.list.filter(({ state }) => state === exportState.id('succeeded')).length).toBeGreaterThan(8);
  expectNoSecret(JSON.stringify(data), 'the list of exports');
});

it('an archive with proofs has sealed values only with the right to reveal', async () => {
  api.clock.advance(120);
  await sealRound(api.deps);
  const archive = async (by: Caller, content: string) => {
    const started = await by.call(auditForumCalls.export, { format: 'zip', content });
    expect(started.code).toBe(0);
    await run();
    const url = `${api.base}/agt/v1/export/download/${started.data.id}`;
    const file = await fetch(url, { headers: { authorization: by.session?.token ?? '' } });
    const path = join(api.deps.config.dataDir, `${started.data.id}.zip`);
    writeFileSync(path, Buffer.from(await file.arrayBuffer()));
    return unzip(path);
  };
  const masked = await archive(reader, 'masked');
  expect(Object.keys(masked)).toEqual(expect.arrayContaining(['rows.jsonl', 'batches.jsonl', 'seals.jsonl', 'checkpoint.txt']));
  expect(masked['rows.jsonl']?.trim().split('\n')).toHaveLength(1);
  for (const [name, text] of Object.entries(masked)) expectNoSecret(text, name);
  const clear = await archive(world.east, 'clear');
  for (const name of ['title', 'content'] as const) expect(clear['rows.jsonl']).toContain(sealedSamples[name]);
});

it('an empty export is refused', async () => {
  expect((await reader.call(auditAuthCalls.export, { format: 'csv', account: 'nothing' })).code).toBe(errors.export_empty.code);
});

it('an export in clear requires the right when it runs, and writes one log entry with the reason', async () => {
  const started = await world.east.call(auditAuthCalls.export, { format: 'csv', content: 'clear' });
  expect(started.code).toBe(0);
  await run();
  const text = await download(world.east, started.data.id);
  for (const name of ['name', 'phone', 'id_number'] as const) expect(text).toContain(sealedSamples[name]);
  const mails = await world.east.call(auditMailCalls.export, { format: 'csv', content: 'clear', sender: sealedSamples.sender });
  await run();
  const lines = (await download(world.east, mails.data.id)).split('\r\n');
  expect(lines[1]).toContain(`${sealedSamples.receiver}、dan@far.example`);
  const log = await api.db
    .selectFrom('syslog')
    .select('content_en')
    .where('content_en', 'like', 'Exported % in clear%')
    .orderBy('id')
    .execute();
  expect(log.map(({ content_en }) => content_en)).toEqual([
    'Exported Network forums in clear: 公安协查函 17',
    'Exported Auth accounts in clear: 公安协查函 17',
    'Exported Emails in clear: 公安协查函 17',
  ]);
  const accesses = await world.east.call(auditAccessLogCalls.list, { action: 'export_clear', page: 1 });
  expect(accesses.data.list).toMatchObject([
    { page_key: 'electronicMail', row_count: 1 },
    { page_key: 'authAccount', row_count: 1 },
    { page_key: 'networkForum', row_count: 1 },
  ]);

  const leaver = await staff('leaver', ['auth_account', 'audit_reveal']);
  const late = await leaver.call(auditAuthCalls.export, { format: 'csv', content: 'clear' });
  expect(late.code).toBe(0);
  const role = await makeRole(world.east, 'masked', grantsOf(['auth_account']));
  await api.db.updateTable('customer').set({ role_id: role }).where('username', '=', 'leaver').execute();
  await run();
  const task = await api.db.selectFrom('export_task').selectAll().where('id', '=', late.data.id).executeTakeFirstOrThrow();
  expect([task.state, task.message_en]).toEqual([exportState.id('failed'), errors.denied.text[1]]);
});

it('operator log, access log, notifications and stored rows have no sealed value', async () => {
  await reader.call(auditRevealCalls.reveal, { page: 'authAccount', id: 1 });
  await world.east.call(auditRevealCalls.reveal, {
    page: 'authAccount',
    id: (await reader.call(auditAuthCalls.list, {})).data.list[0]?.id,
  });
  expectNoSecret(JSON.stringify(await reader.call(auditAccessLogCalls.list, { limit: 100 })), 'the access log');
  expectNoSecret(JSON.stringify(await reader.call(logCalls.own, { limit: 100 })), 'the operator log');
  for (const table of ['syslog', 'audit_look', 'audit_reason', 'export_task', 'job', 'idempotency_key']) {
    const { rows } = await api.deps.pool.query<{ row: string }>(`select t::text as row from ${table} t`);
    for (const { row } of rows) expectNoSecret(row, table);
  }
  const { sender, name } = sealedSamples;
  for (const table of ['audit_auth', 'audit_mail', 'audit_forum']) {
    const { rows } = await api.deps.pool.query<{ row: string }>(`select t::text as row from ${table} t`);
    for (const { row } of rows) for (const secret of [...Object.values(sealedSamples), sender, name]) expect(row).not.toContain(secret);
  }
  for (const payload of heard) expectNoSecret(payload, 'a notification');
});

it('the server log has no sealed value, even for a search that fails with an internal error', async () => {
  await api.deps.pool.query('alter table audit_look rename to audit_look_away');
  for (const [call, filter] of sealedFilters)
    expect((await reader.call(call, { [filter]: samples[filter] })).code, filter).toBe(errors.internal.code);
  await api.deps.pool.query('alter table audit_look_away rename to audit_look');
  expect(logged.some((line) => line.includes('audit_look'))).toBe(true);
  expect(logged.some((line) => line.includes(auditMailCalls.list.path))).toBe(true);
  for (const line of logged) expectNoSecret(line, 'the log of the server');
});

it('an erased user is also erased in exports, even with the right to reveal', async () => {
  await world.east.call(auditRevealCalls.forget, { subscriber_id: ship.userId, reason: '用户申请删除' });
  const started = await world.east.call(auditAuthCalls.export, { format: 'csv', content: 'clear' });
  await run();
  const text = await download(world.east, started.data.id);
  expect(text).toContain('已清除');
  expectNoSecret(text, 'an export after the erasure');
});
