import type { Selectable } from 'kysely';
import type { NoticeTable } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';
import { announceNotices } from './announce.ts';

export type Notice = Selectable<NoticeTable>;
export type NoticeValues = Pick<Notice, 'title' | 'content' | 'target' | 'vno_ids' | 'expire_at' | 'status'>;

/** Stores a draft of a VNO. */
export const insertNotice = (db: Db, agentId: number, values: NoticeValues, now: number): Promise<{ id: number }> =>
  db
    .insertInto('notice')
    .values({ ...values, agent_id: agentId, create_at: now, update_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();

/** Sends a notice. Sending again is a reminder: the notice is on top and unread again. */
export const publishNotice = async (db: Db, notice: Notice, publisher: string, now: number) => {
  const revision = notice.revision + (notice.send_at === null ? 0 : 1);
  await db
    .updateTable('notice')
    .set({ send_at: now, publisher, revision, update_at: now, version: notice.version + 1 })
    .where('id', '=', notice.id)
    .execute();
  await announceNotices(db);
};
