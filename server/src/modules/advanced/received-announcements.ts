import { receivedAnnouncementCalls as calls } from '@farlink/contract/advanced/announcement.ts';
import { notifyConsoles } from '../../domain/announcement/notify-consoles.ts';
import { markRead, receivedBy, unreadOf } from '../../domain/announcement/received.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';

export const listReceived: Handler<typeof calls.received> = (ctx, input) =>
  pageOf(ctx.db, calls.received, input, receivedBy(ctx.db, ctx.me.uid, ctx.now()));

export const countReceived: Handler<typeof calls.unread> = (ctx) => unreadOf(ctx.db, ctx.me.uid, ctx.now());

/** An operator who acts as another account reads its announcements without marking them as read: the owner must still see them. */
export const markReceived: Handler<typeof calls.markRead> = async (ctx, { ids }) => {
  if (ctx.me.acted_by === null)
    await ctx.deps.db.transaction().execute(async (db) => {
      await markRead(db, ctx.me.uid, ids ?? null, ctx.now());
      await notifyConsoles(db, ctx.me.uid);
    });
  return unreadOf(ctx.db, ctx.me.uid, ctx.now());
};
