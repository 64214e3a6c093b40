import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KeyRing, readFleet } from './fleet-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'farlink-fleet-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown) => {
  const file = join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
};

test('a fleet file defines key, accounts and position of each gateway', () => {
  const file = write('keys.json', [
    { sn: 'A1', key: 'k', accounts: ['crew1'], lane: 'malacca', version: '02.08.05' },
    { sn: 'A2', key: 'k', at: [30.7, 90.6], passwords: { crew1: 'secret' } },
  ]);
  expect(readFleet(file)).toEqual([
    { sn: 'A1', key: 'k', accounts: ['crew1'], lane: 'malacca', version: '02.08.05' },
    { sn: 'A2', key: 'k', at: { lat: 30.7, lon: 90.6 }, passwords: { crew1: 'secret' } },
  ]);
});

test.each([
  [[{ sn: 'A/1', key: 'k' }], /\[0\]\.sn/],
  [[{ sn: 'A1' }], /\[0\]\.key/],
  [[{ sn: 'A1', key: 'k', lane: 'styx' }], /\[0\]\.lane: one of taiwan_strait/],
  [{}, /a list/],
])('refuses %j as a fleet file', (content, reason) => {
  expect(() => readFleet(write('bad.json', content))).toThrow(reason);
});

test('new keys are saved in a file that only its owner can read', () => {
  const file = join(folder, 'deep', 'keys-1.json');
  const ring = new KeyRing(file);
  expect(ring.get('A1')).toBeUndefined();
  ring.save();
  expect(() => statSync(file)).toThrow();
  ring.set('A1', 'new');
  ring.save();
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(new KeyRing(file).get('A1')).toBe('new');
});
