import { mkdtempSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { SessionInfo } from '../../src/db/column-types.ts';
import { openDatabase } from '../../src/db/connect.ts';
import { readConfig } from '../../src/env/config.ts';
import type { PublicCtx } from '../../src/kit/ctx.ts';
import type { Deps } from '../../src/kit/deps.ts';
import { hashToken, randomToken } from '../../src/kit/session/secret.ts';
import { createTestDatabase } from './database.ts';

export interface TestClock {
  now(): number;
  advance(seconds: number): void;
}

/** A clock controlled by the test. */
export const openTestClock = (start = 1_750_000_000): TestClock => {
  let at = start;
  return {
    now: () => at,
    advance: (seconds) => {
      at += seconds;
    },
  };
};

/** Process dependencies with a separate database and folder, a platform and one operator. */
export const serviceDeps = async (env: Record<string, string> = {}) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'farlink-service-'));
  const testDatabase = await createTestDatabase();
  const { pool, db } = await openDatabase(testDatabase.url);
  const clock = openTestClock();
  const config = readConfig({ DATA_DIR: dataDir, ...env });
  const deps: Deps = { db, pool, config, clock, log: pino({ level: 'silent' }) };
  const now = clock.now();
  const agent = {
    name: 'Platform',
    code: 'platform',
    path: '/1/',
    agent_level: 0,
    agent_mode: 1 as const,
    agent_child_enable: true,
    enrol_auto: true,
  };
  const { id: agentId } = await db
    .insertInto('agent')
    .values({ ...agent, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();
  const addOperator = async (username: string): Promise<SessionInfo> => {
    const person = { username, name: username, phone: '1' };
    const { id } = await db
      .insertInto('customer')
      .values({ ...person, agent_id: agentId, kind: 'sub', password_hash: '-', create_at: now, update_at: now })
      .returning('id')
      .executeTakeFirstOrThrow();
    const rights = {
      permissions: null,
      operate_permissions: {},
      gateway_permissions: null,
      view_hide_pkg: false,
      vno_ids: null,
      device_ids: null,
    };
    return {
      ...person,
      ...rights,
      rights,
      uid: id,
      agent_id: agentId,
      agent_level: 0,
      agent_mode: 1,
      agent_child_enable: true,
      is_admin: false,
      role_name: '',
      customer_kind: 'sub',
      job_kind: null,
      agent_path: '/1/',
      agent_name: 'Platform',
      acted_by: null,
    };
  };
  /** Creates a session of the operator and returns its token. */
  const logIn = async (me: SessionInfo): Promise<string> => {
    const token = randomToken();
    const row = { token_hash: hashToken(token), customer_id: me.uid, agent_id: me.agent_id, info: JSON.stringify(me), ip: '127.0.0.1' };
    await db
      .insertInto('session')
      .values({ ...row, create_at: clock.now(), seen_at: clock.now() + 10 * 365 * 86_400 })
      .execute();
    return token;
  };
  const close = async () => {
    await db.destroy();
    await testDatabase.drop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { deps, clock, addOperator, logIn, me: await addOperator('operator'), close };
};

export type ServiceDeps = Awaited<ReturnType<typeof serviceDeps>>;

/** Context of a public call, as created by `serve`. */
export const publicCtx = (deps: Deps, request: FastifyRequest, reply: FastifyReply, lang: Lang = 'zh'): PublicCtx => ({
  db: deps.db,
  deps,
  lang,
  ip: request.ip,
  userAgent: '',
  request,
  reply,
  now: deps.clock.now,
});

/** Starts a fake external service and returns its address. */
export const listening = (server: Server): Promise<string> =>
  new Promise((done) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      done(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
    });
  });
