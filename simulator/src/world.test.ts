import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { expect, test } from 'vitest';
import { Gateway } from './gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Outgoing } from './outgoing.ts';
import { profileOf } from './profile.ts';

const start = 1_790_000_000;
const accounts = Array.from({ length: 20 }, (_, i) => `crew${i}`);

/** All messages of a gateway in these minutes, without a console. */
const diary = (options: Partial<GatewayOptions> & { sn: string }, minutes: number, act?: (gateway: Gateway, minute: number) => void) => {
  let real = start * 1000;
  const gateway = new Gateway({ host: '127.0.0.1', port: 9, seed: 1, key: 'k', realMs: () => real, ...options });
  const results: { topic: string; body: JsonObject }[] = [];
  const enqueue: Outgoing['enqueue'] = (topic, body) =>
    void results.push({ topic: topic.split('/up/')[1] ?? '', body: JSON.parse(JSON.stringify(body)) });
  gateway.outgoing.enqueue = enqueue;
  for (let minute = 0; minute < minutes; minute++) {
    act?.(gateway, minute);
    gateway.step(start + minute * 60);
    real += 60_000;
  }
  const events = (kind: string) => results.filter((s) => s.topic === 'e' && s.body.k === kind).map((s) => s.body);
  const rows = (stream: string) => results.filter((s) => s.topic === `t/${stream}`).map((s) => s.body);
  return { gateway, results, events, rows };
};

const cellsOf = (batch: JsonObject): (readonly unknown[])[] => (Array.isArray(batch.v) ? batch.v : []);

const withoutBoot = (results: readonly { topic: string; body: JsonObject }[], boot: string) =>
  JSON.stringify(results).replaceAll(boot, 'boot');

test('a day is the same for the same seed', () => {
  const a = diary({ sn: 'DAY1', accounts }, 600);
  const b = diary({ sn: 'DAY1', accounts }, 600);
  expect(withoutBoot(a.results, a.gateway.boot)).toBe(withoutBoot(b.results, b.gateway.boot));
  expect(a.results.length).toBeGreaterThan(200);
});

test('subscribers log in and out, and their traffic is the sum of their sessions', () => {
  const { events, rows, gateway } = diary({ sn: 'DAY2', accounts }, 1440);
  const users = events('user');
  const left = users.filter((e) => e.in === false);
  expect(left.length).toBeGreaterThan(20);
  expect(users.filter((e) => e.in === true).length - left.length).toBe(gateway.users.online);
  expect(new Set(left.map((e) => e.why))).toEqual(new Set(['user', 'idle']));
  expect(events('auth').every((e) => e.ok === false)).toBe(true);
  expect(events('auth').length).toBeGreaterThan(0);
  const sum = (list: readonly (readonly unknown[])[], column: number) => list.reduce((total, row) => total + Number(row[column]), 0);
  const streamed = rows('user').flatMap(cellsOf);
  const ofSessions = [...left.map((e) => Number(e.d)), ...gateway.users.sessions.map((s) => s.d)].reduce((a, b) => a + b, 0);
  // Traffic after the last batch is not sent yet.
  expect(sum(streamed, 2)).toBe(ofSessions);
  expect(diary({ sn: 'DAY2' }, 300).events('user')).toEqual([]);
});

test('access points, ports and links change in a fleet over three days', { tags: 'all' }, () => {
  const fleet = Array.from({ length: 6 }, (_, i) => diary({ sn: `DAY3-${i}` }, 3 * 1440));
  const all = (kind: string) => fleet.flatMap((d) => d.events(kind));
  for (const kind of ['ap', 'port', 'link']) expect(all(kind).length).toBeGreaterThan(0);
  expect(all('ap')[0]).toMatchObject({ ap: expect.stringMatching(/^ap\d$/), mac: expect.stringMatching(/^02:/), ip: expect.any(String) });
  expect(all('link')[0]).toMatchObject({ mode: 'default', why: expect.stringMatching(/^(rain|coverage|quality|better)$/) });
});

test('load is sampled at the interval of section report', () => {
  const { rows } = diary({ sn: 'DAY4', calm: true }, 30, (gateway, minute) => {
    if (minute === 10) gateway.changeLocally('report', { load: 10 });
    if (minute === 20) gateway.changeLocally('report', { load: 300 });
  });
  const batches = rows('load').map((b) => [b.dt, cellsOf(b).length]);
  expect(batches.filter(([dt]) => dt === 60).reduce((n, [, rowsOf]) => n + Number(rowsOf), 0)).toBe(10);
  expect(batches.filter(([dt]) => dt === 10).reduce((n, [, rowsOf]) => n + Number(rowsOf), 0)).toBe(60);
  expect(batches.filter(([dt]) => dt === 300).reduce((n, [, rowsOf]) => n + Number(rowsOf), 0)).toBe(2);
});

test('a reboot ends every session and resets the counters', () => {
  const { events, rows } = diary({ sn: 'DAY5', calm: true }, 12, (gateway, minute) => {
    if (minute === 1) gateway.users.signIn('crew1');
    if (minute === 7) gateway.reboot();
  });
  expect(events('user').map((e) => [e.in, e.why])).toEqual([
    [true, undefined],
    [false, 'lost'],
  ]);
  expect(rows('pos').map((b) => [b.seq, cellsOf(b).length])).toEqual([
    [1, 5],
    [2, 2],
    [1, 5],
  ]);
  expect(new Set(rows('pos').map((b) => b.b)).size).toBe(2);
});

test('a drifting clock gains an hour per day without the console', () => {
  const { gateway } = diary({ sn: 'DAY6', calm: true }, 1440, (g) => {
    g.faults.drift = 3600;
  });
  expect(gateway.now() - start - 86_400).toBeGreaterThan(3500);
});

test('profiles differ, and some have a version that is too old for a transfer', () => {
  const all = Array.from({ length: 200 }, (_, i) => profileOf(`FL${i}`, 1));
  expect(new Set(all.map((p) => p.model)).size).toBeGreaterThan(2);
  expect(new Set(all.map((p) => p.docker))).toEqual(new Set([0, 1, 2, 3, 4]));
  const old = all.filter((p) => p.version < '03.00.00').length;
  expect(old).toBeGreaterThan(10);
  expect(old).toBeLessThan(100);
});
