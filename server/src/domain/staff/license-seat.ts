import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';

/**
 * Each sub job number of a VNO uses one activated, unexpired authorization. The count is checked inside the UPDATE, so two operators cannot
 * take the last seat. The platform needs none.
 */
export const takeSeat = async (ctx: Ctx): Promise<number | null> => {
  if (ctx.me.agent_level === 0) return null;
  const seat = await ctx.db
    .updateTable('license')
    .set((eb) => ({ used: eb('used', '+', 1) }))
    .where('id', '=', (eb) =>
      eb
        .selectFrom('license as l')
        .select('l.id')
        .where('l.agent_id', '=', ctx.me.agent_id)
        .where('l.activate_at', 'is not', null)
        .where('l.expire_at', '>', ctx.now())
        .whereRef('l.used', '<', 'l.total')
        .orderBy('l.expire_at')
        .limit(1)
        .forUpdate(),
    )
    .whereRef('used', '<', 'total')
    .returning('id')
    .executeTakeFirst();
  if (!seat) throw fail('authorization_exhausted');
  return seat.id;
};

export const releaseSeat = async (ctx: Ctx, licenseId: number | null) => {
  if (licenseId === null) return;
  await ctx.db
    .updateTable('license')
    .set((eb) => ({ used: eb('used', '-', 1) }))
    .where('id', '=', licenseId)
    .execute();
};
