import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Session } from '@farlink/contract/auth/auth.ts';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { Client } from 'pg';
import { startEmbedded } from '../../server/src/db/embedded.ts';
import { leanClient } from './lean-client.ts';

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
export const password = 'Farlink2026';

/** A temporary PostgreSQL. It is removed afterwards, unless the caller passes a folder to keep. */
export const openTestServer = async (keptFolder?: string) => {
  const folder = keptFolder ?? mkdtempSync(join(tmpdir(), 'farlink-bench-'));
  const embedded = await startEmbedded(folder);
  const urlOf = (name: string) => Object.assign(new URL(embedded.url), { pathname: `/${name}` }).href;
  const query = async (sql: string) => {
    const client = new Client({ connectionString: embedded.url });
    await client.connect();
    const { rowCount } = await client.query(sql);
    await client.end();
    return rowCount;
  };
  /** Returns the URL of the new database. */
  const newDatabase = async (name: string) => {
    await query(`create database ${name}`);
    return urlOf(name);
  };
  const dropDatabase = (name: string) => query(`drop database if exists ${name} with (force)`);
  const renameDatabase = (from: string, to: string) => query(`alter database ${from} rename to ${to}`);
  /** Returns the URL of an existing database. */
  const findDatabase = async (name: string) =>
    (await query(`select from pg_database where datname = '${name}'`)) === 1 ? urlOf(name) : undefined;
  const close = async () => {
    await embedded.stop();
    if (!keptFolder) rmSync(folder, { recursive: true, force: true });
  };
  return { url: embedded.url, newDatabase, dropDatabase, renameDatabase, findDatabase, folder, close };
};

export type TestServer = Awaited<ReturnType<typeof openTestServer>>;

/** A caller with a session on a running server. */
export const signInAt = async (base: string, username: string) => {
  const captcha = await fetch(`${base}/agt/v1/captcha`);
  const cookie = captcha.headers
    .getSetCookie()
    .map((c) => c.split(';')[0])
    .join('; ');
  const login = await fetch(`${base}/agt/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ username, password: toBase64(password), verifycode: '8888' }),
  });
  const { data }: { data: Session } = JSON.parse(await login.text());
  const { get, close } = leanClient(base, data.token);
  /** Sends a request with a body, as the console does. */
  const post = async (path: string, body: Record<string, unknown> | FormData): Promise<unknown> => {
    const form = body instanceof FormData;
    const headers = { authorization: data.token, ...(!form && { 'content-type': 'application/json' }) };
    const response = await fetch(`${base}/agt/v1/${path}`, { method: 'POST', headers, body: form ? body : JSON.stringify(body) });
    const reply: { code: number; msg: string; data: unknown } = JSON.parse(await response.text());
    if (reply.code !== 0) throw new Error(`${path}: ${reply.msg} ${JSON.stringify(reply.data)}`);
    return reply.data;
  };
  return { get, post, close, session: data };
};

/** Starts the real server in a separate process on a database, and logs in. */
export const startServer = async (databaseUrl: string, folder: string, env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      DATABASE_URL: databaseUrl,
      DATA_DIR: folder,
      CAPTCHA_FIXED: '8888',
      ADMIN_PASSWORD: password,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const base = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = output.match(/Address:\s+(\S+)/)?.[1];
      if (found) resolve(found.replace('localhost', '127.0.0.1'));
    });
    child.once('exit', () => reject(new Error(`the server ended: ${output}`)));
  });
  const admin = await signInAt(base, 'admin');
  const residentMb = () => Number(readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
  const stop = () =>
    new Promise<void>((resolve) => {
      admin.close();
      child.removeAllListeners('exit').once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return { ...admin, base, pid: child.pid ?? 0, residentMb, stop };
};

export type Server = Awaited<ReturnType<typeof startServer>>;
