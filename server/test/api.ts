import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '@farlink/contract/auth/auth.ts';
import { endpoints } from '@farlink/contract/endpoints.ts';
import { type Endpoint, type OutputOf, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Grant } from '@farlink/contract/kit/field.ts';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { parametersOf } from '@farlink/contract/kit/parameters.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { pages } from '@farlink/contract/pages.ts';
import { type Logger, pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { openDatabase } from '../src/db/connect.ts';
import { prepareWorld } from '../src/demo/prepare.ts';
import { readConfig } from '../src/env/config.ts';
import type { Deps } from '../src/kit/deps.ts';
import { openReplica } from '../src/kit/replica/read-replica.ts';
import { openRemote } from '../src/remote/remote.ts';
import { createTestDatabase } from './setup/database.ts';
import { openTestClock, type TestClock } from './setup/service-deps.ts';

export const password = 'Farlink2026';

export interface Reply<T = unknown> {
  readonly status: number;
  readonly code: number;
  readonly msg: string;
  readonly data: T;
}

/** A file has no envelope, so its arrival counts as success. */
const fileReply = '{"code":0,"msg":"ok","data":null}';

/** Field errors of a refusal. */
export const fieldsOf = ({ data }: { readonly data: unknown }): Readonly<Record<string, string>> => {
  const fields = typeof data === 'object' && data !== null && 'fields' in data ? data.fields : undefined;
  return Object.fromEntries(Object.entries(fields ?? {}).map(([name, text]) => [name, String(text)]));
};

export const readReply = async <T>(response: Response): Promise<Reply<T>> => {
  const text = await response.text();
  const isFile = !response.headers.get('content-type')?.includes('json');
  const body: Omit<Reply<T>, 'status'> = JSON.parse(isFile ? fileReply : text);
  return { status: response.status, ...body };
};

/** The values that the call takes. A record that was read has more. */
export const inputOf = (call: Endpoint, record: object): Values =>
  Object.fromEntries(Object.entries(record).filter(([name]) => parametersOf(call).has(name) || call.path.includes(`{${name}}`)));

/** An API client like the console, with or without a session. */
const caller = (base: string, session?: Session) => {
  const call = async <E extends Endpoint>(
    endpoint: E,
    input: Values = {},
    more: Record<string, string> = {},
  ): Promise<Reply<OutputOf<E>>> => {
    const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]));
    const url = new URL(`${base}/agt/v1/${path}`);
    const known: Values = { lang: 'zh', ...(session && { uid: session.uid, agent_id: session.agent_id }), ...input };
    const body = Object.fromEntries(Object.entries(known).filter(([name]) => !endpoint.path.includes(`{${name}}`)));
    const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE';
    if (inQuery) for (const [name, value] of Object.entries(body)) if (value !== undefined) url.searchParams.set(name, String(value));
    const response = await fetch(url, {
      method: endpoint.method,
      headers: { ...(session && { authorization: session.token }), ...(!inQuery && { 'content-type': 'application/json' }), ...more },
      ...(!inQuery && { body: JSON.stringify(body) }),
    });
    return readReply(response);
  };
  return { call, session };
};

export type Caller = ReturnType<typeof caller>;

/** Grants of whole pages, for test roles. */
export const grantsOf = (permissions: readonly string[], grant: Grant = '11'): Record<string, Grant> => {
  const calls = endpoints.filter((e) => Array.isArray(e.access) && e.access.some((key) => permissions.includes(key)));
  return Object.fromEntries([...permissions.map((key) => [key, grant] as const), ...calls.map((e) => [operateKey(e), grant] as const)]);
};

/** Pages that a VNO may have; platform-only pages cannot be granted. */
export const allPages = pages.filter((p) => p.platform !== 'admin').map((p) => p.permission);

/**
 * The whole server with a separate database, a real port and a clock controlled by the test. `beside` starts a second process of the same
 * installation on the database of the first.
 */
export const startApi = async (
  env: Record<string, string> = {},
  beside?: { readonly databaseUrl: string; readonly clock: TestClock },
  log: Logger = pino({ level: process.env.TEST_LOG ?? 'silent' }),
) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farlink-api-'));
  const testDatabase = beside || env.DATABASE_URL ? undefined : await createTestDatabase();
  const databaseUrl = beside?.databaseUrl ?? env.DATABASE_URL ?? testDatabase?.url ?? '';
  const { pool, db } = await openDatabase(databaseUrl);
  const clock = beside?.clock ?? openTestClock(Math.floor(Date.now() / 1000));
  const config = readConfig({ DATA_DIR: dataDir, ADMIN_PASSWORD: password, CAPTCHA_FIXED: '8888', DEMO: 'off', ...env });
  const replica = config.databaseReadUrl ? openReplica({ db, log, clock }, config.databaseReadUrl, 4) : undefined;
  const core = { db, pool, replica, config, clock, log, processId: randomUUID() };
  const remote = env.REMOTE_SSH_PORT === undefined ? undefined : await openRemote(core);
  const deps: Deps = { ...core, remote: remote?.access };
  await prepareWorld(deps);
  const app = await buildApp(deps);
  // Gateways get the address before the server listens, so a test with gateways sets the port.
  const base = await app.listen({ port: env.PORT === undefined ? 0 : config.port, host: '127.0.0.1' });
  await app.listenHttps?.();
  const anonymous = caller(base);

  const captchaCookie = async () => {
    const response = await fetch(`${base}/agt/v1/captcha`);
    return response.headers
      .getSetCookie()
      .map((c) => c.split(';')[0])
      .join('; ');
  };
  const tryLogin = async (username: string, secret: string, more: Values = {}): Promise<Reply<Session>> => {
    const response = await fetch(`${base}/agt/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: await captchaCookie() },
      body: JSON.stringify({ username, password: toBase64(secret), verifycode: '8888', lang: 'zh', ...more }),
    });
    return readReply(response);
  };
  const login = async (username: string, secret = password): Promise<Caller> => {
    const reply = await tryLogin(username, secret);
    if (reply.code !== 0) throw new Error(`login of ${username}: ${reply.msg}`);
    return caller(base, reply.data);
  };
  const close = async () => {
    const closed = app.close();
    // A client may have the whole reply before its connection is idle, and closing would wait for it.
    app.server.closeAllConnections();
    await closed;
    await remote?.close();
    await replica?.close();
    await db.destroy();
    await testDatabase?.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return {
    base,
    databaseUrl,
    deps,
    db,
    remote,
    replica,
    clock,
    anonymous,
    login,
    tryLogin,
    captchaCookie,
    as: (session: Session) => caller(base, session),
    close,
  };
};

export type Api = Awaited<ReturnType<typeof startApi>>;
