import type { Latest, LatestAnnouncement, PendingFeedback, UserFigures } from '@farlink/contract/home/summary.ts';
import { sql } from 'kysely';
import { placeIs } from '../../domain/access/unbound.ts';
import { receivedBy } from '../../domain/announcement/received.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';

const maxShown = 5;
const count = sql<number>`count(*)::int`;

export const readUsers = async (ctx: Ctx): Promise<UserFigures> => {
  const users = ctx.db.selectFrom('subscriber').where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'));
  // A statement for each, because each has its own index.
  const [all, online, unusable] = await Promise.all([
    users.select(count.as('n')).executeTakeFirstOrThrow(),
    users.where('subscriber.online_count', '>', 0).select(count.as('n')).executeTakeFirstOrThrow(),
    users.where(placeIs.unusable).select(count.as('n')).executeTakeFirstOrThrow(),
  ]);
  return { total: all.n, online: online.n, unusable: unusable.n };
};

export const readFeedback = async (ctx: Ctx): Promise<Latest<PendingFeedback>> => {
  const pending = ctx.db
    .selectFrom('feedback')
    .where('feedback.status', '=', 0)
    .where(inScope(ctx.me, 'feedback.agent_id', 'feedback.device_id'));
  const [{ n }, list] = await Promise.all([
    pending.select(count.as('n')).executeTakeFirstOrThrow(),
    pending
      .select(['id', 'type', 'level', 'content', 'account', 'create_at'])
      .orderBy('create_at', 'desc')
      .orderBy('id', 'desc')
      .limit(maxShown)
      .execute(),
  ]);
  return { total: n, list };
};

export const readAnnouncements = async (ctx: Ctx): Promise<Latest<LatestAnnouncement>> => {
  const received = receivedBy(ctx.db, ctx.me.uid, ctx.now());
  const [{ n }, list] = await Promise.all([
    received.clearSelect().select(count.as('n')).executeTakeFirstOrThrow(),
    received.orderBy('notice.send_at', 'desc').orderBy('notice.id', 'desc').limit(maxShown).execute(),
  ]);
  return {
    total: n,
    list: list.map(({ id, title, source, send_at, is_read }) => ({ id, title, source, create_at: send_at ?? 0, is_read })),
  };
};
