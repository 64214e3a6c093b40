import type { watchCalls as calls, PageReading, WatchState } from '@farlink/contract/config/watch.ts';
import { isRecord, type Values } from '@farlink/contract/kit/values.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import type { GatewayPage } from '@farlink/gateway/kit/page.ts';
import { defaultReadRate, meteredReadRate } from '@farlink/gateway/kit/run.ts';
import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { linkClasses } from '@farlink/gateway/protocol/link.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { sql } from 'kysely';
import { requirePage } from '../../../domain/config/access.ts';
import { findTarget, type Target } from '../../../domain/config/target.ts';
import { waitOf } from '../../../domain/device/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Db } from '../../../kit/deps.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { sendCommand } from '../../../orders/command.ts';

/** Seconds before the end of a subscription at which it is renewed, so the data does not pause. */
const renewBefore = 15;
/** Extra seconds for a gateway to reply. */
const graceS = 30;
/** Older log rows that were read are shared with equal requests for this long. */
const sharedS = 300;
/** Read commands are deleted after this time; they are not history. */
const retentionS = 600;
/** Maximum of open read commands per gateway; more would delay other commands. */
const maxOpen = 32;

interface ReadRequest {
  readonly id: string;
  readonly state: number;
  readonly out: unknown;
  readonly err: string | null;
  readonly create_at: number;
}

/** Last read command for this page, or for this range of it. */
const lastRequest = (db: Db, device: Target, page: string, since: number, range: { before?: number; limit: number }) =>
  db
    .selectFrom('device_command')
    .select(['id', 'state', 'out', 'err', 'create_at'])
    .where('device_id', '=', device.id)
    .where('op', '=', 'page.read')
    .where('create_at', '>=', since)
    .where(sql<boolean>`args ->> 'page' = ${page}`)
    .where(
      range.before === undefined
        ? sql<boolean>`not args ? 'before'`
        : sql<boolean>`args -> 'before' = to_jsonb(${range.before}::bigint) and args -> 'limit' = to_jsonb(${range.limit}::int)`,
    )
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

const isOpen = ({ state }: ReadRequest) => state < commandState.id('done');

const hasTooManyOpen = async (db: Db, device: Target, now: number) => {
  const open = await db
    .selectFrom('device_command')
    .select('id')
    .where('device_id', '=', device.id)
    .where('op', '=', 'page.read')
    .where('state', '<', commandState.id('done'))
    .where('deadline', '>', now)
    .limit(maxOpen)
    .execute();
  return open.length === maxOpen;
};

const ask = (
  ctx: Ctx,
  device: Target,
  page: string,
  { before, secs, every, limit }: { before?: number; secs: number; every: number; limit: number },
) =>
  ctx.db.transaction().execute(async (db) => {
    // Two operators who open the page at the same time cause one request.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`page.read ${page} ${before ?? ''}`}, ${device.id}))`.execute(db);
    const now = ctx.now();
    const request = await lastRequest(db, device, page, before === undefined ? now - secs - graceS : now - sharedS, { before, limit });
    const isReusable =
      request &&
      (before === undefined
        ? isOpen(request) && request.create_at + secs - now > Math.min(renewBefore, secs / 4)
        : request.state <= commandState.id('done'));
    if (isReusable || (await hasTooManyOpen(db, device, now))) return;
    await sql`delete from device_command where device_id = ${device.id} and op = 'page.read' and state >= ${sql.lit(commandState.ids.done)} and create_at < ${now - retentionS}`.execute(
      db,
    );
    const args: JsonObject = before === undefined ? { page, every, secs, limit } : { page, before, limit };
    await sendCommand(db, device.id, 'page.read', args, { now, deadline: now + (before === undefined ? secs : 0) + graceS });
  });

const stateOf = (
  device: Target,
  request: ReadRequest | undefined,
  reading: { readonly seen_at: number; readonly asked_at: number } | undefined,
  now: number,
  every: number,
): WatchState => {
  if (device.online_state === 0) return 'offline';
  if (request && request.state > commandState.id('done') && request.create_at >= (reading?.asked_at ?? 0)) return 'failed';
  if (reading && now - reading.seen_at <= 2 * every + 10) return 'live';
  return request && isOpen(request) ? 'waiting' : 'stale';
};

const waitsOf = (device: Target, request: ReadRequest | undefined, now: number) =>
  request?.state === commandState.id('queued') ? waitOf(device, 256, now, 'page.read') : null;

const isSeen = (page: GatewayPage) =>
  page.kind === 'status' || page.kind === 'log' || Object.values(page.fields).some(({ reported }) => reported);

const rowsIn = (rows: unknown): Values[] => (Array.isArray(rows) ? rows.filter(isRecord) : []);

/** Older rows of a log: read by one command, which is sent once. */
const readBack = async (ctx: Ctx, device: Target, page: string, before: number, limit: number, metered: boolean): Promise<PageReading> => {
  const request = await lastRequest(ctx.db, device, page, ctx.now() - sharedS, { before, limit });
  const { at, rows, more } = isRecord(request?.out) ? request.out : {};
  const isDone = request?.state === commandState.id('done');
  const state = isDone ? 'live' : stateOf(device, request, undefined, ctx.now(), 0);
  return {
    state,
    waits: waitsOf(device, request, ctx.now()),
    err: request?.err ?? null,
    now: ctx.now(),
    every: 0,
    bytes: null,
    metered,
    total: null,
    at: isDone && typeof at === 'number' ? at : null,
    rows: isDone ? rowsIn(rows) : [],
    more: more === true,
  };
};

export const readWatch: Handler<typeof calls.watch> = async (ctx, input) => {
  const device = await findTarget(ctx, input.device_id);
  const page = requirePage(ctx.me, input.page, 'read');
  const metered = !linkClasses[device.network].allowsHeavy;
  const rate = metered ? meteredReadRate : defaultReadRate;
  const limit = Math.min(input.limit ?? rate.limit, rate.limit);
  const before = page.kind === 'log' ? (input.before ?? undefined) : undefined;
  const isReachable = device.online_state === 1 && mayReceive(authorizationAt(device.auth_status, device.auth_expire_at, ctx.now()));
  if (input.ask && isReachable && isSeen(page))
    await ask(ctx, device, page.key, { ...rate, limit, ...(before !== undefined && { before }) });
  if (before !== undefined) return readBack(ctx, device, page.key, before, limit, metered);
  const now = ctx.now();
  const request = await lastRequest(ctx.db, device, page.key, now - retentionS, { limit });
  const reading = await ctx.db
    .selectFrom('page_reading')
    .selectAll()
    .where('device_id', '=', device.id)
    .where('page', '=', page.key)
    .executeTakeFirst();
  const state = stateOf(device, request, reading, now, rate.every);
  return {
    state,
    waits: waitsOf(device, request, now),
    err: state === 'failed' ? (request?.err ?? null) : null,
    at: reading?.seen_at ?? null,
    now,
    rows: reading?.rows ?? [],
    total: reading?.total ?? null,
    more: reading?.more ?? false,
    every: rate.every,
    bytes: reading?.bytes ?? null,
    metered,
  };
};
