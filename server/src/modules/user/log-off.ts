import { kickSessions, recountOnline } from '../../domain/subscriber/kick-sessions.ts';
import type { Ctx } from '../../kit/ctx.ts';

/** Ends the sessions of a subscriber. An online gateway gets a command and confirms it; other sessions end at once. */
export const logOff = async (ctx: Ctx, id: number) => {
  await kickSessions(ctx.db, { subscriber: id }, { now: ctx.now(), by: ctx.me });
  await recountOnline(ctx.db, id);
};
