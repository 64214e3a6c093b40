import type { Selectable } from 'kysely';
import type { NoticeTable } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';
import { notifyConsoles } from './notify-consoles.ts';

export type Announcement = Selectable<NoticeTable>;
export type AnnouncementValues = Pick<Announcement, 'title' | 'content' | 'target' | 'vno_ids' | 'expire_at' | 'status'>;

/** Stores a draft of a VNO. */
export const insertAnnouncement = (db: Db, agentId: number, values: AnnouncementValues, now: number): Promise<{ id: number }> =>
  db
    .insertInto('notice')
    .values({ ...values, agent_id: agentId, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();

/** Sends an announcement. Sending again is a reminder: the announcement is on top and unread again. */
export const publishAnnouncement = async (db: Db, announcement: Announcement, publisher: string, now: number) => {
  const revision = announcement.revision + (announcement.send_at === null ? 0 : 1);
  await db
    .updateTable('notice')
    .set({ send_at: now, publisher, revision, update_at: now, version: announcement.version + 1 })
    .where('id', '=', announcement.id)
    .execute();
  await notifyConsoles(db);
};
