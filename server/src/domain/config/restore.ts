import { applyState } from '@farlink/contract/protocol/apply.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

/**
 * Resets each section of these apply operations to the last revision that its gateway may have received, also through a later apply that
 * included it. If there is none, the section is no longer desired.
 */
export const restoreSections = async (db: Db, applies: readonly number[]) => {
  await sql`
    with back as (
      select s.device_id, s.section, v.rev, v.hash, v.doc, v.apply_id, v.create_at from desired_section s left join lateral (
        select v.* from config_revision v
        where v.device_id = s.device_id and v.section = s.section and v.rev < s.rev and exists (
          select from config_apply a
          where a.device_id = v.device_id and a.id >= v.apply_id and a.handed_at is not null and v.section = any(a.pages))
        order by v.rev desc limit 1
      ) v on true
      where s.apply_id = any(${applies}::bigint[])
    ), dropped as (
      delete from desired_section s using back where s.device_id = back.device_id and s.section = back.section and back.rev is null
    )
    update desired_section s set rev = back.rev, hash = back.hash, doc = back.doc, apply_id = back.apply_id, update_at = back.create_at,
      sent_at = back.create_at, settled = true
    from back where s.device_id = back.device_id and s.section = back.section and back.rev is not null`.execute(db);
};

/**
 * Sections that other operators requested, and that these campaign applies only included, become a separate apply again. Part of their
 * withdrawal. Returns the SNs of gateways with pending sections.
 */
export const releaseJoined = async (db: Db, applies: readonly number[], campaignId: number): Promise<string[]> => {
  const { rows } = await sql<{ sn: string }>`
    with rest as (
      select s.device_id, s.section, s.apply_id, v.apply_id as made, octet_length(s.doc::text) as bytes
      from desired_section s join config_revision v on v.device_id = s.device_id and v.section = s.section and v.rev = s.rev
      join config_apply a on a.id = v.apply_id
      where s.apply_id = any(${applies}::bigint[]) and not s.settled and a.campaign_id is distinct from ${campaignId}::bigint
    ), again as (
      update config_apply a set state = ${sql.lit(applyState.ids.waiting)}, finish_at = null, pages = r.pages, bytes = r.bytes
      from (select max(made) as id, array_agg(section order by section) as pages, sum(bytes)::int as bytes from rest group by device_id) r
      where a.id = r.id returning a.id, a.device_id
    ), moved as (
      update desired_section s set apply_id = again.id from rest join again on again.device_id = rest.device_id
      where s.device_id = rest.device_id and s.section = rest.section
    ), followed as (
      update config_campaign_device t set apply_id = again.id from rest join again on again.device_id = rest.device_id
      where t.apply_id = rest.apply_id and t.campaign_id <> ${campaignId}
    )
    select d.sn from again join device d on d.id = again.device_id`.execute(db);
  return rows.map(({ sn }) => sn);
};
