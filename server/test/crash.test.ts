/** @module-tag all */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '@farlink/contract/kit/random.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../src/db/connect.ts';
import { readPostmaster } from '../src/db/postmaster.ts';
import { auditLedger } from '../src/domain/ledger/check-ledger.ts';
import { open } from '../src/kit/session/secret.ts';
import { startProcess } from './server-process.ts';
import { isSoak, runs } from './soak.ts';
import { subscriberRow } from './subscriber.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-crash-'));
const key = Buffer.alloc(32, 7);
const random = new Random(7);

let child: ChildProcess | undefined;
let base = '';
let token = '';
/** Resolved while the server runs; a new promise while it is down. */
let up: Promise<void> = Promise.resolve();

const start = async () => {
  const started = await startProcess(folder, { DEMO: 'off', SECRET_KEY: key.toString('base64') });
  child = started.child;
  base = started.base;
  token = started.token;
};

const gone = (process: ChildProcess) =>
  process.exitCode !== null || process.signalCode !== null
    ? Promise.resolve()
    : new Promise<void>((done) => process.once('exit', () => done()));

/** Kills the server, the database or both without a shutdown, then starts everything again. */
const kill = async (what: 'server' | 'postmaster' | 'both') => {
  const was = child;
  if (!was) throw new Error('nothing to kill');
  was.removeAllListeners('exit');
  const postmaster = readPostmaster(join(folder, 'postgres', 'cluster'));
  if (what !== 'server' && postmaster) process.kill(postmaster.pid, 'SIGKILL');
  was.kill('SIGKILL');
  await gone(was);
  await start();
};

type Outcome = 'done' | 'unknown';

/** A call with a reply is done; without a reply it may or may not be. A refusal is an error of this test. */
const call = async (method: string, path: string, body: object): Promise<{ outcome: Outcome; data: unknown }> => {
  await up;
  const headers = { 'content-type': 'application/json', authorization: token };
  let text: string;
  try {
    const response = await fetch(`${base}/agt/v1/${path}`, {
      method,
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(20_000),
    });
    text = await response.text();
  } catch {
    return { outcome: 'unknown', data: undefined };
  }
  const reply: { code: number; msg: string; data: unknown } = JSON.parse(text);
  // The database may stop shortly before the server.
  if (reply.code === 10007 || reply.code === 10021) return { outcome: 'unknown', data: undefined };
  if (reply.code !== 0) throw new Error(`${path}: ${text}`);
  return { outcome: 'done', data: reply.data };
};

let database: OpenDatabase;
const connect = () => openDatabase(readFileSync(join(folder, 'postgres', 'url'), 'utf8').trim(), { max: 2 });

let device_id: number;
let package_id: number;
let users: number[];
let cards: { id: number; number: string; password: string }[];

beforeAll(async () => {
  await start();
  database = await connect();
  const { db } = database;
  const stamp = { agent_id: 1, create_at: 1, update_at: 1 };
  // Accounts opened in sequence have no real name, so it is not required.
  await db.updateTable('open_config').set({ realname: false }).execute();
  device_id = (
    await db
      .insertInto('device')
      .values({ agent_id: 1, name: 'Ship', sn: 'CRASH1', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  const flow = {
    kind: 'online',
    package_type: 'flow',
    flow_capacity: 10,
    flow_unit: 'GB',
    price: '98.00',
    device_ids: [device_id],
  } as const;
  package_id = (
    await db
      .insertInto('package')
      .values({ ...stamp, ...flow, device_ids: [device_id], name: 'Crew' })
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id;
  const rows = Array.from({ length: 20 }, (_, i) => subscriberRow({ agent_id: 1, account: `crash${i}`, device_id }));
  users = (await db.insertInto('subscriber').values(rows).returning('id').execute()).map(({ id }) => id);
  await db.insertInto('prefix').values({ agent_id: 1, prefix: 'cr', creator: 'admin', create_at: 1 }).execute();
  const expire_at = Math.floor(Date.now() / 1000) + 86_400 * 30;
  await call('POST', 'recharge_card_rule', {
    name: '卡',
    cards: [{ card_type: 'amount', denomination: '10', count: 100 }],
    bind_type: 'none',
    expire_at,
  });
  const countCards = async () => expect(await db.selectFrom('recharge_card').select('id').execute()).toHaveLength(100);
  await vi.waitFor(countCards, { timeout: 20_000 });
  const made = await db.selectFrom('recharge_card').select(['id', 'number', 'password']).execute();
  cards = made.map((card) => ({ ...card, password: open(key, card.password) }));
}, 60_000);

afterAll(async () => {
  await database.close().catch(() => {});
  child?.removeAllListeners('exit');
  const ended = child && gone(child);
  child?.kill('SIGTERM');
  await ended;
  rmSync(folder, { recursive: true, force: true });
});

interface Request {
  readonly name: string;
  outcome: Outcome | undefined;
  readonly run: () => Promise<Outcome>;
}

const request = (name: string, method: string, path: string, body: object): Request => ({
  name,
  outcome: undefined,
  run: async () => (await call(method, path, body)).outcome,
});

const recharge = (n: number) =>
  request(`recharge-${n}`, 'POST', 'user/recharge', {
    ids: [users[n % users.length]],
    kind: 'amount',
    amount: '1.00',
    pay_method: 'cash',
    remark: `recharge-${n}`,
  });
const redeem = (n: number) =>
  request(`redeem-${n}`, 'POST', 'user/recharge', {
    ids: [users[n % users.length]],
    kind: 'card',
    card_number: cards[n]?.number,
    card_password: cards[n]?.password,
  });
const batch = (n: number) =>
  request(`batch-${n}`, 'POST', 'user/add', {
    account_source: 'batch',
    account_type: 'personal',
    account_prefix: 1,
    start_no: `${n}0000`,
    count: 600,
    password: 'secret12',
    allow_logins: 1,
    bind_type: 'device',
    device_id,
    package_id,
    expire_at: Math.floor(Date.now() / 1000) + 86_400,
    pay_method: 'cash',
    remark: `batch-${n}`,
  });
const sheet = (n: number) => request(`export-${n}`, 'POST', 'user/export/all', { format: n % 2 ? 'csv' : 'xlsx' });

const shuffled = <T>(list: readonly T[]): T[] =>
  list
    .map((value) => ({ value, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);

test('server and database killed at random lose no confirmed request, apply none twice, and finish started jobs', {
  timeout: 240_000,
}, async () => {
  const of = (count: number, make: (n: number) => Request) => Array.from({ length: count }, (_, n) => make(n));
  const requests = shuffled([
    ...of(runs(880, 260), recharge),
    ...of(runs(100, 30), redeem),
    ...of(runs(8, 3), batch),
    ...of(runs(12, 4), sheet),
  ]);
  const kills = shuffled(isSoak ? (['server', 'postmaster', 'server', 'both', 'server'] as const) : (['server', 'both'] as const));
  const at = kills.map((_, i) => Math.floor(((i + 0.3 + random.next() * 0.6) * requests.length) / kills.length));
  const waiting = requests.values();
  let begun = 0;
  const worker = async () => {
    for (const next of waiting) {
      const nth = at.indexOf(begun++);
      const what = kills[nth];
      if (what) up = kill(what);
      next.outcome = await next.run();
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  await up;
  await database.close().catch(() => {});
  database = await connect();
  const { db } = database;

  // Started jobs finish without a new request.
  const open_ = () =>
    db
      .selectFrom('job')
      .select(['kind', 'state'])
      .where('state', 'in', ['waiting', 'running'])
      .where('kind', 'in', ['export', 'open_batch'])
      .execute();
  await expect.poll(open_, { timeout: 90_000 }).toEqual([]);
  const tasks = await db.selectFrom('export_task').select('state').execute();
  expect(tasks.map((t) => t.state)).toEqual(tasks.map(() => 1));
  expect(tasks.length).toBeGreaterThanOrEqual(requests.filter((d) => d.name.startsWith('export') && d.outcome === 'done').length);

  expect(await auditLedger(db)).toEqual([]);
  const entries = await db.selectFrom('ledger_entry').select(['remark', 'card_id', 'count', 'income']).execute();
  const timesOf = new Map<string, number>();
  for (const { remark } of entries) if (remark) timesOf.set(remark, (timesOf.get(remark) ?? 0) + 1);
  const used = new Map((await db.selectFrom('recharge_card').select(['id', 'status']).execute()).map((c) => [c.id, c.status]));
  const accounts = await db.selectFrom('subscriber').select('account').where('account', 'like', 'cr%0%').execute();
  for (const { name, outcome } of requests) {
    const [kind, n = ''] = name.split('-');
    if (kind === 'recharge') expect(timesOf.get(name) ?? 0, name).toBe(outcome === 'done' ? 1 : (timesOf.get(name) ?? 0) > 0 ? 1 : 0);
    if (kind === 'redeem') {
      const card = cards[Number(n)]?.id;
      const times = entries.filter((e) => e.card_id === card).length;
      expect(times, name).toBe(used.get(card ?? 0) === 'used' ? 1 : 0);
      if (outcome === 'done') expect(times, name).toBe(1);
    }
    if (kind === 'batch') {
      const opened = accounts.filter(({ account }) => account.startsWith(`cr${n}0`) && account.length === 2 + `${n}0000`.length).length;
      expect(opened, name).toBe(outcome === 'done' || opened > 0 ? 600 : 0);
      expect(timesOf.get(name) ?? 0, name).toBe(opened > 0 ? 1 : 0);
    }
  }
  expect(requests.filter((d) => d.outcome === 'done').length).toBeGreaterThan(requests.length * 0.9);
});
