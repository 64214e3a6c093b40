import type { ConfigPage } from '@farlink/contract/config/config.ts';
import { commandState } from '@farlink/contract/protocol/command.ts';
import { sql } from 'kysely';
import type { Target } from '../../../domain/config/target.ts';
import { bytesOf, waitOf } from '../../../domain/device/wait-reason.ts';
import type { Ctx } from '../../../kit/ctx.ts';
import type { Db } from '../../../kit/deps.ts';
import { sendCommand } from '../../../orders/command.ts';

const op = 'cfg.get';
/** Deadline for the reply. */
const commandS = 86_400;

/** The newest request for this section, alone or with all others. */
const lastRequest = (db: Db, deviceId: number, section: string) =>
  db
    .selectFrom('device_command')
    .select(['state', 'deadline'])
    .where('device_id', '=', deviceId)
    .where('op', '=', op)
    .where(sql<boolean>`(args = '{}' or args -> 'sections' ? ${section})`)
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();

type Request = Awaited<ReturnType<typeof lastRequest>>;
const isOpen = (request: Request, now: number) => request !== undefined && request.state < commandState.ids.done && request.deadline > now;

/** Operators who ask at the same time cause one request. */
const ask = (ctx: Ctx, device: Target, section: string) =>
  ctx.db.transaction().execute(async (db) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${op} ${section}`}, ${device.id}))`.execute(db);
    const now = ctx.now();
    if (isOpen(await lastRequest(db, device.id, section), now)) return;
    const by = { uid: ctx.me.uid, name: ctx.me.name };
    await sendCommand(db, device.id, op, { sections: [section] }, { now, deadline: now + commandS, by });
  });

/** The request to the gateway for the document of an unread section; with `isAsked` there is one. */
export const readRequest = async (
  ctx: Ctx,
  device: Target,
  section: string,
  isAsked: boolean,
): Promise<Pick<ConfigPage, 'reading' | 'waits'>> => {
  if (isAsked) await ask(ctx, device, section);
  const request = await lastRequest(ctx.db, device.id, section);
  const now = ctx.now();
  if (!request) return { reading: null, waits: null };
  if (!isOpen(request, now)) return { reading: 'failed', waits: null };
  const isQueued = request.state === commandState.ids.queued;
  return { reading: 'open', waits: isQueued ? waitOf(device, bytesOf({ sections: [section] }) + 64, now, op) : null };
};
