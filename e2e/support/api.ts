import { setTimeout as wait } from 'node:timers/promises';
import type { Session } from '@farlink/contract/auth/auth.ts';
import { authCalls } from '@farlink/contract/auth/auth.ts';
import type { Endpoint, OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { type APIRequestContext, request } from '@playwright/test';

export const password = 'Farlink2026';
export const captcha = '8888';

interface Reply<T> {
  readonly code: number;
  readonly msg: string;
  readonly data: T;
}

const exchange = async <E extends Endpoint>(
  http: APIRequestContext,
  endpoint: E,
  input: Values,
  session?: Session,
): Promise<OutputOf<E>> => {
  const path = endpoint.path.replace(/\{(\w+)\}/g, (_, name: string) => String(input[name]));
  const known = { lang: 'zh', ...(session && { uid: session.uid, agent_id: session.agent_id }), ...input };
  const values = Object.fromEntries(Object.entries(known).filter(([name]) => !endpoint.path.includes(`{${name}}`)));
  const inQuery = endpoint.method === 'GET' || endpoint.method === 'DELETE';
  const params = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  const send = () =>
    http.fetch(`/agt/v1/${path}`, {
      method: endpoint.method,
      headers: session ? { authorization: session.token } : {},
      ...(inQuery ? { params } : { data: values }),
    });
  let response = await send();
  // A busy server has done nothing and requests a retry.
  for (let tries = 0; response.status() === 503 && tries < 10; tries++) {
    await wait(Number(response.headers()['retry-after'] ?? 1) * 1000);
    response = await send();
  }
  const reply: Reply<OutputOf<E>> = await response.json();
  if (reply.code !== 0) throw new Error(`${endpoint.path}: ${reply.code} ${reply.msg} ${JSON.stringify(reply.data)}`);
  return reply.data;
};

/** An API client with a session, without a page. */
export interface Caller {
  readonly session: Session;
  readonly call: <E extends Endpoint>(endpoint: E, input?: Values) => Promise<OutputOf<E>>;
}

/** A new session of this account. */
export const logIn = async (username: string, secret = password): Promise<Caller> => {
  const http = await request.newContext({ baseURL: process.env.E2E_URL });
  await http.get('/agt/v1/captcha');
  const session = await exchange(http, authCalls.login, { username, password: toBase64(secret), verifycode: captcha });
  return { session, call: (endpoint, input = {}) => exchange(http, endpoint, input, session) };
};

/** Sessions end after 15 idle minutes. */
const reuseMs = 10 * 60_000;
const known = new Map<string, { caller: Promise<Caller>; usedAt: number }>();

/** A session shared by the tests of one worker that do not change it. */
export const as = (username: string): Promise<Caller> => {
  const last = known.get(username);
  const caller = last && Date.now() - last.usedAt < reuseMs ? last.caller : logIn(username);
  known.set(username, { caller, usedAt: Date.now() });
  return caller;
};
