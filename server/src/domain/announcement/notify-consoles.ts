import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { liveChannel, parseNotification } from '../../orders/notify.ts';

/** Part of the caller's transaction: open consoles are notified on commit. Without an account, the change concerns all of them. */
export const notifyConsoles = async (db: Db, uid?: number) => {
  await sql`select pg_notify(${liveChannel}, ${JSON.stringify({ notices: uid ?? 'all' })})`.execute(db);
};

/** The account whose announcements have changed, or all; undefined: the notification is about something else. */
export const changedAccountOf = (text: string): number | 'all' | undefined => {
  const note = parseNotification(text);
  if (!note || !('notices' in note)) return undefined;
  return typeof note.notices === 'number' ? note.notices : 'all';
};
