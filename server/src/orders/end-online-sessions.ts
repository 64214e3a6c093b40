import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/** Ends the online user sessions of a device that is removed or changes owner. Accounts are locked before their sessions, by id. */
export const endOnlineSessions = async (db: Db, deviceId: number, now: number) => {
  await sql`
    select s.id from subscriber s
    where s.id in (select o.subscriber_id from online_session o where o.device_id = ${deviceId} and o.logout_at is null)
    order by s.id for no key update`.execute(db);
  await sql`
    with ended as (
      update online_session set logout_at = ${now}, terminate_cause = 'lost', up_speed = 0, down_speed = 0
      where device_id = ${deviceId} and logout_at is null returning subscriber_id
    )
    update subscriber s set online_count = greatest(0, s.online_count - e.n)
    from (select subscriber_id, count(*)::int as n from ended group by subscriber_id) e where s.id = e.subscriber_id`.execute(db);
};
