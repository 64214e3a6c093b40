import type { Ctx } from '../../kit/ctx.ts';

/** Ends what a subscriber has open. The gateway hears of it with the device's next exchange. */
export const logOff = async (ctx: Ctx, id: number) => {
  await ctx.db
    .updateTable('online_session')
    .set({ logout_at: ctx.now(), terminate_cause: 'kick', up_speed: 0, down_speed: 0 })
    .where('subscriber_id', '=', id)
    .where('logout_at', 'is', null)
    .execute();
  await ctx.db.updateTable('subscriber').set({ online_count: 0 }).where('id', '=', id).execute();
};
