import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

/** Each section of these applications goes back to the last revision of which its gateway may know; one of which it knows none is nobody's wish any more. */
export const restoreSections = async (db: Db, applies: readonly number[]) => {
  await sql`
    with back as (
      select s.device_id, s.section, v.rev, v.hash, v.doc, v.apply_id, v.create_at from desired_section s left join lateral (
        select v.* from config_revision v join config_apply a on a.id = v.apply_id
        where v.device_id = s.device_id and v.section = s.section and v.rev < s.rev and a.handed_at is not null order by v.rev desc limit 1
      ) v on true
      where s.apply_id = any(${applies}::bigint[])
    ), dropped as (
      delete from desired_section s using back where s.device_id = back.device_id and s.section = back.section and back.rev is null
    )
    update desired_section s set rev = back.rev, hash = back.hash, doc = back.doc, apply_id = back.apply_id, update_at = back.create_at,
      sent_at = back.create_at, settled = true
    from back where s.device_id = back.device_id and s.section = back.section and back.rev is not null`.execute(db);
};
