import { kickSessions, recountOnline } from '../../domain/subscriber/kick-sessions.ts';
import type { Ctx } from '../../kit/ctx.ts';

/** Ends what a subscriber has open: a gateway that is here is told and confirms, elsewhere it ends at once. */
export const logOff = async (ctx: Ctx, id: number) => {
  await kickSessions(ctx.db, { subscriber: id }, { now: ctx.now(), by: ctx.me });
  await recountOnline(ctx.db, id);
};
