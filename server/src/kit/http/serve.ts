import type { Endpoint, InputOf, OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { isWrite } from '@farlink/contract/kit/endpoint.ts';
import { isLang, type Lang } from '@farlink/contract/kit/text.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isStalePlan } from '../../db/prepare.ts';
import type { Ctx, PublicCtx } from '../ctx.ts';
import type { Deps } from '../deps.ts';
import { fail, Refusal } from '../fail.ts';
import type { FileResponse } from '../files/file-response.ts';
import { receiveForm } from '../files/upload.ts';
import { withBranch } from '../list/scope.ts';
import { lineOf, refusedEntry, writeLog, writeLogs } from '../log/record.ts';
import { passwordRuleOf } from '../session/password-rule.ts';
import { findSession } from '../session/session.ts';
import { type CallSlots, openCallSlots } from './call-slots.ts';
import { compression, isCompressed } from './compression.ts';
import { once } from './idempotency.ts';
import { addressBlockOf, allowPublicCall } from './rate-limit.ts';
import { readInput } from './read-input.ts';
import { parametersIn, refuseUnusable } from './refuse-unusable.ts';
import { replyError, sendReply } from './send-reply.ts';

type CtxOf<E> = E extends { readonly access: 'public' } ? PublicCtx : Ctx;

/** A verb: a plain function of context and input that implements a call. */
export type Handler<E> = (ctx: CtxOf<E>, input: InputOf<E>) => Promise<OutputOf<E> | FileResponse>;

export interface Binding {
  readonly call: Endpoint;
  readonly run: (ctx: PublicCtx | Ctx, input: Record<string, unknown>) => Promise<unknown>;
  /** `ctx.db` is the read replica if there is one. The handler writes to `ctx.deps.db`. */
  readonly reads?: 'replica';
}

/** Lists of these calls are read from the replica. */
export const fromReplica = (bindings: readonly Binding[]): Binding[] =>
  bindings.map((binding) => (readsRows(binding.call) || binding.call.kind === 'tree' ? { ...binding, reads: 'replica' } : binding));

/** Binds a verb to its call; the types are checked here. */
export const bind = <E extends Endpoint>(call: E, handler: Handler<E>): Binding => ({ call, run: handler as Binding['run'] });

/** Binds all calls of a resource. */
export const bindAll = <C extends Readonly<Record<string, Endpoint>>>(
  calls: C,
  handlers: { readonly [K in keyof C]: Handler<C[K]> },
): Binding[] => Object.entries(calls).map(([name, call]) => ({ call, run: handlers[name as keyof C] as Binding['run'] }));

export const langOf = (request: FastifyRequest): Lang => {
  const langs = [request.body, request.query].map((source) => (isRecord(source) ? source.lang : undefined));
  return langs.find(isLang) ?? 'zh';
};

const contextOf = (deps: Deps, request: FastifyRequest, reply: FastifyReply): PublicCtx => ({
  db: deps.db,
  deps,
  lang: langOf(request),
  ip: request.ip,
  userAgent: request.headers['user-agent'] ?? '',
  request,
  reply,
  now: deps.clock.now,
});

/** Identifies the caller by the token only. */
const identify = async (base: PublicCtx): Promise<Ctx> => {
  const found = await findSession(base);
  if (!found) throw fail('session_ended');
  return { ...base, me: found.me, sessionId: found.id, entries: [], object: {} };
};

/** Refuses a uid or agent_id that differs from the session (decisions §2). */
const refuseIdentityMismatch = ({ me }: Ctx, raw: Values) => {
  const differs = (claim: unknown, actual: number) => claim !== undefined && claim !== '' && String(claim) !== String(actual);
  if (differs(raw.uid, me.uid) || differs(raw.agent_id, me.agent_id)) throw fail('identity_mismatch');
};

/** Upload rules of a call, by field. */
const uploadRulesOf = (call: Endpoint) =>
  Object.fromEntries(Object.entries(call.input ?? {}).flatMap(([name, field]) => (field.upload ? [[name, field.upload]] : [])));

const takesFiles = (call: Endpoint) => Object.keys(uploadRulesOf(call)).length > 0;

/** A form with files is read only after authorization, and before the transaction starts. */
const readForm = async <C extends PublicCtx>(ctx: C, call: Endpoint): Promise<{ ctx: C; raw: Values }> => {
  const { texts, files } = await receiveForm(ctx, uploadRulesOf(call));
  return { ctx: { ...ctx, lang: isLang(texts.lang) ? texts.lang : ctx.lang }, raw: { ...texts, ...files } };
};

/** Serialization failure, deadlock, or a plan that a migration made stale: PostgreSQL aborted the transaction. */
const isRetryable = (error: unknown) => isRecord(error) && (error.code === '40001' || error.code === '40P01' || isStalePlan(error));

const repeated = async <T>(attempt: () => Promise<T> | T): Promise<T> => {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isRetryable(error) || tries === 3) throw error;
    }
  }
};

/** A write and its operator-log entries are one transaction. */
const inOneTransaction = async ({ call, run }: Binding, ctx: Ctx, input: Record<string, unknown>) => {
  const attempt = () =>
    ctx.deps.db.transaction().execute(async (db) => {
      const inside: Ctx = { ...ctx, db, entries: [] };
      return once(inside, call, input, async () => {
        const output = await run(inside, input);
        if (inside.entries.length === 0) throw new Error(`${call.method} ${call.path} changed something and recorded nothing`);
        const entries = inside.entries.map((entry) => ({ ...lineOf(call), ...entry }));
        await writeLogs(db, ctx.me, ctx, entries);
        return output;
      });
    });
  return repeated(attempt);
};

/** Reads whose query plan depends on the number of rows of a branch. */
const readsRows = ({ kind }: Endpoint) => kind === 'list' || kind === 'option';

/** Runs a read on the replica if it has the writes of this session. A read that fails there runs on the primary. */
const runOnReplica = async ({ run }: Binding, ctx: Ctx, input: Record<string, unknown>) => {
  const { replica } = ctx.deps;
  const db = await replica?.dbFor(ctx.sessionId);
  if (!replica || !db) return run(ctx, input);
  try {
    return await run({ ...ctx, db }, input);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    replica.failed(error);
    return run(ctx, input);
  }
};

const runRead = (binding: Binding, ctx: Ctx, input: Record<string, unknown>) =>
  binding.reads === 'replica' ? runOnReplica(binding, ctx, input) : binding.run(ctx, input);

const handle = async (deps: Deps, slots: CallSlots, binding: Binding, request: FastifyRequest, reply: FastifyReply) => {
  const { call, run } = binding;
  const base = contextOf(deps, request, reply);
  const env = { passwordRule: await passwordRuleOf(deps.db), now: base.now() };
  const path = isRecord(request.params) ? request.params : {};
  if (call.access === 'public') {
    if (isWrite(call)) await allowPublicCall(deps, base.ip, base.now());
    const { ctx, raw } = takesFiles(call) && request.isMultipart() ? await readForm(base, call) : { ctx: base, raw: parametersIn(request) };
    refuseUnusable(call, raw, request);
    return slots.run({ session: addressBlockOf(base.ip), vno: 'public' }, () => run(ctx, readInput(call, path, raw, env)));
  }
  const known = await identify(base);
  if (!mayCall(call, known.me)) throw fail('denied');
  const { ctx, raw } = takesFiles(call) && request.isMultipart() ? await readForm(known, call) : { ctx: known, raw: parametersIn(request) };
  refuseUnusable(call, raw, request);
  refuseIdentityMismatch(ctx, raw);
  const caller = { session: `session ${ctx.sessionId}`, vno: `vno ${ctx.me.agent_id}` };
  const input = readInput(call, path, raw, env);
  // A migration of the next version may collide with a read of several tables.
  if (readsRows(call))
    return slots.run(caller, () => repeated(async () => runRead(binding, { ...ctx, me: await withBranch(deps.db, ctx.me) }, input)));
  if (!isWrite(call) && call.kind !== 'auth') return slots.run(caller, () => repeated(() => runRead(binding, ctx, input)));
  try {
    if (call.kind === 'auth') return await slots.run(caller, () => run(ctx, input));
    return await slots.run(caller, () => inOneTransaction(binding, ctx, input));
  } catch (error) {
    if (call.kind !== 'auth' && error instanceof Refusal && error.reason !== 'bad_input' && error.reason !== 'busy')
      await writeLog(deps.db, ctx.me, ctx, refusedEntry(call, ctx, error.text));
    throw error;
  } finally {
    // A refusal is written too, to the operator log.
    await deps.replica?.noteWrite(ctx.sessionId);
  }
};

/** Body limit of a configuration list: 20,000 accounts are several megabytes. */
const documentBytes = 8 * 1024 * 1024;
const takesDocument = ({ input = {} }: Endpoint) => Object.values(input).some(({ kind }) => kind === 'document');

export const serve = (app: FastifyInstance, deps: Deps, bindings: readonly Binding[]) => {
  const slots = openCallSlots(deps.pool.options.max);
  for (const binding of bindings) {
    app.route({
      method: binding.call.method,
      // HEAD is not used, and on a stream it would never end.
      exposeHeadRoute: false,
      url: `/agt/v1/${binding.call.path.replace(/\{(\w+)\}/g, ':$1')}`,
      ...(takesDocument(binding.call) && { bodyLimit: documentBytes }),
      compress: isCompressed(binding.call) && compression,
      handler: async (request, reply) => {
        try {
          return sendReply(reply, await handle(deps, slots, binding, request, reply));
        } catch (error) {
          return replyError(request, reply, error, langOf(request), binding.call);
        }
      },
    });
  }
};
