import { noticeBoardCalls as calls } from '@farlink/contract/advanced/notice.ts';
import { announceNotices } from '../../domain/notice-board/announce.ts';
import { markRead, receivedBy, unreadOf } from '../../domain/notice-board/received.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';

export const listReceived: Handler<typeof calls.received> = (ctx, input) =>
  pageOf(ctx.db, calls.received, input, receivedBy(ctx.db, ctx.me.uid, ctx.now()));

export const countReceived: Handler<typeof calls.unread> = (ctx) => unreadOf(ctx.db, ctx.me.uid, ctx.now());

/** An operator who acts as another account reads its notices without marking them as read: the owner must still see them. */
export const markReceived: Handler<typeof calls.markRead> = async (ctx, { ids }) => {
  if (ctx.me.acted_by === null)
    await ctx.deps.db.transaction().execute(async (db) => {
      await markRead(db, ctx.me.uid, ids ?? null, ctx.now());
      await announceNotices(db, ctx.me.uid);
    });
  return unreadOf(ctx.db, ctx.me.uid, ctx.now());
};
