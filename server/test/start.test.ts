import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { programEnv } from './program-env.ts';
import { createTestDatabase, type TestDatabase } from './setup/database.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

let folder: string;
let testDatabase: TestDatabase;
let children: ChildProcess[];

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'farlink-start-'));
  testDatabase = await createTestDatabase();
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill('SIGKILL');
  await testDatabase.drop();
  rmSync(folder, { recursive: true });
});

const launch = (env: Record<string, string>) => {
  const child = spawn(process.execPath, [main], {
    env: { ...programEnv, DATA_DIR: folder, DATABASE_URL: testDatabase.url, HOST: '127.0.0.1', PORT: '0', ...env },
  });
  children.push(child);
  const output = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  return { child, output, ended: once(child, 'close').then(([code]) => code) };
};

const refusal = async (env: Record<string, string>) => {
  const { output, ended } = launch(env);
  return { code: await ended, ...output };
};

test('wrong settings are reported together, one sentence each, without a stack trace', { tags: 'all' }, async () => {
  expect(await refusal({ PORT: 'x', DEMO: 'y' })).toEqual({
    code: 1,
    out: '',
    err: 'PORT must be a whole number from 0 to 65535.\nDEMO must be on or off.\n',
  });
});

test('a busy port is reported in one sentence', { tags: 'all' }, async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const port = address && typeof address === 'object' ? String(address.port) : '';
  expect(await refusal({ PORT: port })).toEqual({
    code: 1,
    out: '',
    err: `Port ${port} is already in use: stop the program that uses it or set PORT to another one.\n`,
  });
  other.close();
});

test('an unreachable database is reported in one sentence', { tags: 'all' }, async () => {
  const { code, err } = await refusal({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:1/x' });
  expect([code, err]).toEqual([1, 'The database at 127.0.0.1:1/x cannot be used: connect ECONNREFUSED 127.0.0.1:1.\n']);
});

test('the last lines show address, account and password when the server is ready, and SIGTERM ends it cleanly', {
  tags: 'all',
}, async () => {
  const { child, output, ended } = launch({ ADMIN_PASSWORD: 'Farlink2026' });
  await expect
    .poll(() => output.out, { timeout: 60_000 })
    .toMatch(/\nAddress: +http:\/\/localhost:\d+\nAccount: +admin\nPassword: as set by ADMIN_PASSWORD\n$/);
  const address = output.out.match(/Address: +(\S+)/)?.[1] ?? '';
  expect((await fetch(`${address}/healthz`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
  expect(output.err).toBe('');
});
