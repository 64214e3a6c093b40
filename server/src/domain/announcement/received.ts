import type { AnnouncementCount } from '@farlink/contract/advanced/announcement.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { inForce } from './in-force.ts';

/** Whether operators of a VNO receive an announcement. `notice` and `agent` are table aliases. */
const receives = (notice: string, agent: string): RawBuilder<SqlBool> => {
  const n = (name: string) => sql.ref(`${notice}.${name}`);
  const a = (name: string) => sql.ref(`${agent}.${name}`);
  // The publisher is the VNO of the receiver or one above, so the index by publisher finds the few candidates.
  return sql<SqlBool>`${n('agent_id')} = any(string_to_array(trim(both '/' from ${a('path')}), '/')::bigint[])
    and case ${n('target')} when 'admin' then ${a('agent_level')} = 0
      when 'vno' then ${n('agent_id')} <> ${a('id')} and (${n('vno_ids')} is null or ${a('id')} = any(${n('vno_ids')}))
      else false end`;
};

/** Announcements in force that an operator account receives, with what it has read. */
export const receivedBy = (db: Db, uid: number, now: number) =>
  db
    .selectFrom('customer')
    .innerJoin('agent', 'agent.id', 'customer.agent_id')
    .innerJoin('notice', (join) => join.on(inForce('notice', now)).on(receives('notice', 'agent')))
    .innerJoin('agent as sender', 'sender.id', 'notice.agent_id')
    .leftJoin('notice_read', (join) =>
      join
        .onRef('notice_read.customer_id', '=', 'customer.id')
        .onRef('notice_read.notice_id', '=', 'notice.id')
        .onRef('notice_read.revision', '=', 'notice.revision'),
    )
    .select([
      'notice.id',
      'notice.title',
      'notice.content',
      'notice.send_at',
      'notice.expire_at',
      sql<'admin' | 'vno'>`case when sender.agent_level = 0 then 'admin' else 'vno' end`.as('source'),
      // Operators of a VNO above have no name here.
      sql<string | null>`case when sender.id = agent.id then notice.publisher end`.as('publisher'),
      sql<boolean>`notice_read.notice_id is not null`.as('is_read'),
    ])
    .where('customer.id', '=', uid);

/** Counts of many accounts with one statement: a new announcement concerns all open consoles at once. */
export const countUnread = async (db: Db, uids: readonly number[], now: number): Promise<ReadonlyMap<number, AnnouncementCount>> => {
  const { rows } = await sql<{ uid: number; unread: number; expires_in: number | null }>`
    select c.id as uid, count(n.id) filter (where r.notice_id is null)::int as unread, min(n.expire_at) - ${now}::bigint as expires_in
    from customer c join agent a on a.id = c.agent_id
      left join notice n on ${inForce('n', now)} and ${receives('n', 'a')}
      left join notice_read r on r.customer_id = c.id and r.notice_id = n.id and r.revision = n.revision
    where c.id = any(${uids}::bigint[]) group by c.id`.execute(db);
  return new Map(rows.map(({ uid, ...count }) => [uid, count]));
};

export const unreadOf = async (db: Db, uid: number, now: number): Promise<AnnouncementCount> =>
  (await countUnread(db, [uid], now)).get(uid) ?? { unread: 0, expires_in: null };

/** Marks received announcements as read: the named ones, or all. */
export const markRead = async (db: Db, uid: number, ids: readonly number[] | null, now: number) => {
  await sql`
    insert into notice_read (customer_id, notice_id, revision, read_at)
    select c.id, n.id, n.revision, ${now} from customer c join agent a on a.id = c.agent_id
      join notice n on ${inForce('n', now)} and ${receives('n', 'a')}
    where c.id = ${uid} and (${ids}::bigint[] is null or n.id = any(${ids}::bigint[]))
    order by n.id
    on conflict (customer_id, notice_id) do update set revision = excluded.revision, read_at = excluded.read_at
      where notice_read.revision <> excluded.revision`.execute(db);
};
