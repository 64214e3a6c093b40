import { check } from '@farlink/contract/kit/check.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { gatewayPages } from '@farlink/gateway/menu.ts';
import type { Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { describe, expect, test } from 'vitest';
import type { Gateway } from '../gateway.ts';
import { operations } from '../operations/registry.ts';
import { noon, sampleGateway } from './sample.ts';

const run = async (gateway: Gateway, op: string, args: JsonObject, results: Result[] = [], id = '0123456789ab') => {
  const act = operations[op];
  if (!act) throw new Error(op);
  const result = await act(gateway, { id, args, report: (more) => results.push(more) });
  if (!result) throw new Error('no answer');
  return result;
};
const read = (gateway: Gateway, page: string, more: JsonObject = {}) => run(gateway, 'page.read', { page, secs: 0, ...more });
const rowsIn = (result: Result): JsonObject[] => {
  const rows: unknown = result.out?.rows;
  return Array.isArray(rows) ? rows : [];
};

const seen = [...gatewayPages.values()].filter(({ kind }) => kind === 'status' || kind === 'log');

/** Columns that can be empty: no failure, nothing finished, no rule matched. */
const mayBeEmpty = new Set([
  'arbiter_decision_log.from_link',
  'file_distribution.finish_at',
  'file_distribution.error',
  'vpn_status.last_error',
]);

/** The length limit of operator input does not apply to reported values. */
const columnsOf = (page: GatewayPage) =>
  Object.fromEntries(Object.entries(page.fields).map(([name, field]) => [name, { ...field, max: field.max ?? 4000 }]));

const misfits = (page: GatewayPage, rows: readonly JsonObject[]) =>
  rows.flatMap((row) => {
    const known = Object.keys(row).filter((name) => !Object.hasOwn(page.fields, name));
    const missing = Object.keys(page.fields).filter((name) => row[name] === undefined);
    const { errors } = check(columnsOf(page), row, { passwordRule: defaultPasswordRule });
    return [...known, ...missing, ...Object.entries(errors).map(([name, text]) => `${name}=${JSON.stringify(row[name])}: ${text[1]}`)];
  });

describe('every status and log page', () => {
  test('is counted: 16 status pages and 13 log pages', () => {
    expect(seen.map(({ kind }) => kind).filter((kind) => kind === 'status')).toHaveLength(16);
    expect(seen.map(({ kind }) => kind).filter((kind) => kind === 'log')).toHaveLength(13);
  });

  test.each(seen.map((page) => [page.key, page] as const))(
    '%s returns rows with all columns of the page and valid values',
    async (key, page) => {
      const gateway = sampleGateway();
      const file = { task: 7, url: 'http://127.0.0.1:9/x', size: 10, sha256: '0'.repeat(64), name: 'charts.zip', path: '/' };
      const order = { ...file, ...Object.fromEntries([['then', 'none']]) };
      if (key === 'file_distribution') {
        gateway.faults.file = 'missing';
        await run(gateway, 'file.get', order);
      }
      gateway.world.switchTo('6d');
      const result = await read(gateway, key);
      expect(result).toMatchObject({ st: 'done', out: { at: noon } });
      const rows = rowsIn(result);
      expect(rows.length).toBeGreaterThan(0);
      expect([...new Set(misfits(page, rows))]).toEqual([]);
      const empty = Object.keys(page.fields).filter((name) => rows.every((row) => row[name] === '' || row[name] === null));
      expect(empty.filter((name) => !mayBeEmpty.has(`${key}.${name}`))).toEqual([]);
    },
  );

  test('reports the same values on each page', async () => {
    const gateway = sampleGateway();
    const [overview] = rowsIn(await read(gateway, 'status_overview'));
    const [links, users, terminals] = await Promise.all(
      ['status_link', 'status_online_user', 'status_terminal'].map((page) => read(gateway, page)),
    );
    expect(overview).toMatchObject({
      sn: 'PAGE1',
      user_count: rowsIn(users ?? { st: 'fail' }).length,
      terminal_count: rowsIn(terminals ?? { st: 'fail' }).length,
    });
    expect(rowsIn(links ?? { st: 'fail' }).find((row) => row.role === 'active')?.link).toBe(overview?.current_link);
  });

  test('has the same log for the same gateway and seed', async () => {
    const logs = seen.filter(({ kind }) => kind === 'log').map(({ key }) => key);
    for (const key of logs) expect(await read(sampleGateway(), key)).toEqual(await read(sampleGateway(), key));
  });
});

describe('a log', () => {
  test('is read backwards in pages, without gaps or duplicates', async () => {
    const gateway = sampleGateway();
    const all = rowsIn(await read(gateway, 'behavior_url_log', { limit: 60 }));
    const first = rowsIn(await read(gateway, 'behavior_url_log', { limit: 30 }));
    const before = Number(first.at(-1)?.time);
    const second = await read(gateway, 'behavior_url_log', { limit: 30, before });
    expect([...first, ...rowsIn(second)]).toEqual(all);
    expect(second.out?.more).toBe(true);
    expect(all.map((row) => Number(row.time))).toEqual(all.map((row) => Number(row.time)).toSorted((a, b) => b - a));
  });

  test('contains the events of the gateway', async () => {
    const gateway = sampleGateway();
    const [session] = gateway.users.sessions;
    gateway.users.signOut(session?.sid ?? '', 'kick');
    gateway.users.refused('crew03', 'password');
    const rows = rowsIn(await read(gateway, 'auth_log', { limit: 3 }));
    expect(rows.map(({ account, event }) => [account, event])).toEqual(
      expect.arrayContaining([
        ['crew03', 'reject'],
        ['crew01', 'kick'],
      ]),
    );
    expect(rowsIn(await read(gateway, 'fence_log', { limit: 1 })).length).toBe(1);
  });

  test('ends where no more entries are stored', async () => {
    const result = await read(sampleGateway(), 'behavior_url_log', { before: noon - 40 * 86_400 });
    expect(result.out).toMatchObject({ rows: [], more: false });
  });
});

describe('reading a page', () => {
  test('repeats at its interval, and ends with a last reading', async () => {
    const results: Result[] = [];
    const result = await run(sampleGateway(), 'page.read', { page: 'status_link', every: 2, secs: 10 }, results);
    expect(results).toHaveLength(5);
    expect(results.every(({ st, out }) => st === 'run' && Array.isArray(out?.rows))).toBe(true);
    expect(result.st).toBe('done');
  });

  test('is limited to one report and 20 rows on L-band', async () => {
    const gateway = sampleGateway();
    gateway.world.force('l_band');
    const results: Result[] = [];
    const result = await run(gateway, 'page.read', { page: 'behavior_url_log', every: 1, secs: 600, limit: 200 }, results);
    expect(results).toHaveLength(1);
    expect(rowsIn(result).length).toBe(20);
  });

  test('is limited as soon as the gateway changes to L-band', async () => {
    const gateway = sampleGateway({ workScale: 0.01 });
    const results: Result[] = [];
    const under = run(gateway, 'page.read', { page: 'behavior_url_log', every: 1, secs: 600, limit: 200 }, results);
    await expect.poll(() => results.length).toBeGreaterThan(2);
    const before = results.length;
    gateway.world.force('l_band');
    expect(rowsIn(await under).length).toBe(20);
    expect(results.length - before).toBeLessThan(3);
  });

  test('ends on page.stop, and when the power fails', async () => {
    const gateway = sampleGateway({ workScale: 0.01 });
    const results: Result[] = [];
    const watch = () => run(gateway, 'page.read', { page: 'status_link', every: 1, secs: 600 }, results);
    const stopped = watch();
    await expect.poll(() => results.length).toBeGreaterThan(1);
    const stop = { run: '0123456789ab' };
    expect(await run(gateway, 'page.stop', stop, [], 'ba9876543210')).toEqual({ st: 'done' });
    expect((await stopped).st).toBe('done');
    expect(await run(gateway, 'page.stop', stop, [], 'ba9876543211')).toEqual({ st: 'fail', err: 'not running' });
    const cut = watch();
    gateway.power('cut');
    expect(await cut).toEqual({ st: 'fail', err: 'restarted' });
  });

  test('of a list returns the known state of its rows, and of an unknown page fails', async () => {
    const gateway = sampleGateway();
    const [ap] = gateway.view().aps;
    expect(rowsIn(await read(gateway, 'ac_ap_list'))).toEqual([{ mac: ap?.mac, ap_state: 'up' }]);
    gateway.world.lanSide.setAp(ap?.name ?? '', false);
    expect(rowsIn(await read(gateway, 'ac_ap_list'))).toEqual([{ mac: ap?.mac, ap_state: 'offline' }]);
    expect(rowsIn(await read(gateway, 'hidden_license'))).toEqual([{ auth_status: 'formal' }]);
    expect(await read(gateway, 'nonsense')).toMatchObject({ st: 'fail', err: 'no such page' });
  });
});
