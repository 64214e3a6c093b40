import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Session } from '@farlink/contract/auth/auth.ts';
import { toBase64 } from '@farlink/contract/kit/obscure.ts';
import { Client } from 'pg';
import { startEmbedded } from '../../server/src/db/embedded.ts';
import { leanClient } from './lean-client.ts';

const main = fileURLToPath(new URL('../../server/src/main.ts', import.meta.url));
const password = 'Farlink2026';

/** A PostgreSQL of one's own for the measurement, gone afterwards. */
export const openStage = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'farlink-bench-'));
  const embedded = await startEmbedded(folder);
  const urlOf = (name: string) => Object.assign(new URL(embedded.url), { pathname: `/${name}` }).href;
  /** By its address. */
  const newDatabase = async (name: string) => {
    const client = new Client({ connectionString: embedded.url });
    await client.connect();
    await client.query(`create database ${name}`);
    await client.end();
    return urlOf(name);
  };
  const close = async () => {
    await embedded.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: embedded.url, newDatabase, folder, close };
};

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The real server in its own process on a database; answers what a signed-in caller needs. */
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
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = said.match(/Address:\s+(\S+)/)?.[1];
      if (found) resolve(found.replace('localhost', '127.0.0.1'));
    });
    child.once('exit', () => reject(new Error(`the server ended: ${said}`)));
  });
  const captcha = await fetch(`${base}/agt/v1/captcha`);
  const cookie = captcha.headers
    .getSetCookie()
    .map((c) => c.split(';')[0])
    .join('; ');
  const login = await fetch(`${base}/agt/v1/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ username: 'admin', password: toBase64(password), verifycode: '8888' }),
  });
  const { data }: { data: Session } = JSON.parse(await login.text());
  const { get, close } = leanClient(base, data.token);
  /** A call with a body, as the console makes it. */
  const post = async (path: string, body: Record<string, unknown> | FormData): Promise<unknown> => {
    const form = body instanceof FormData;
    const headers = { authorization: data.token, ...(!form && { 'content-type': 'application/json' }) };
    const response = await fetch(`${base}/agt/v1/${path}`, { method: 'POST', headers, body: form ? body : JSON.stringify(body) });
    const answer: { code: number; msg: string; data: unknown } = JSON.parse(await response.text());
    if (answer.code !== 0) throw new Error(`${path}: ${answer.msg} ${JSON.stringify(answer.data)}`);
    return answer.data;
  };
  const residentMb = () => Number(readFileSync(`/proc/${child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1] ?? 0) / 1024;
  const stop = () =>
    new Promise<void>((resolve) => {
      close();
      child.removeAllListeners('exit').once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return { base, pid: child.pid ?? 0, get, post, residentMb, stop, session: data };
};

export type Server = Awaited<ReturnType<typeof startServer>>;
