import type { Db } from '../../kit/deps.ts';
import { insertAnnouncement, publishAnnouncement } from '../announcement/publish.ts';

const daysShown = 30 * 86_400;

const titleOf = (title: readonly [string, string]): string => title.join(' / ');

/** Alarm to the operators of the platform. The announcement board has one text, so it is in both languages. */
export const raiseAlarm = async (db: Db, title: readonly [string, string], content: readonly [string, string], now: number) => {
  const platform = await db.selectFrom('agent').select(['id', 'name']).where('agent_level', '=', 0).executeTakeFirst();
  if (!platform) return;
  const values = {
    title: titleOf(title),
    content: content.join('\n'),
    ...({ target: 'admin', vno_ids: null, expire_at: now + daysShown, status: 1 } as const),
  };
  const { id } = await insertAnnouncement(db, platform.id, values, now);
  const announcement = await db.selectFrom('notice').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  await publishAnnouncement(db, announcement, platform.name, now);
};

/** Raises an alarm unless it is shown already. */
export const alarmOnce: typeof raiseAlarm = async (db, title, content, now) => {
  const shown = await db
    .selectFrom('notice')
    .select('id')
    .where('title', '=', titleOf(title))
    .where('expire_at', '>', now)
    .executeTakeFirst();
  if (!shown) await raiseAlarm(db, title, content, now);
};
