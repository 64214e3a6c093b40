import { tempReleaseSection, tempReleasesPerGateway } from '@farlink/gateway/protocol/temp-release.ts';
import { sql } from 'kysely';
import { idleLimit } from '../../db/lock.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import { notifyChange, notifyConnections } from '../../orders/notify.ts';

/** One process at a time, so that an older rule never overwrites a newer one. */
const lock = 728_465_022;
/** Devices per transaction. */
const batchSize = 5000;
/** PostgreSQL limits a notification to 8000 bytes. */
const snsPerNotification = 100;

const tryLock = async (db: Db): Promise<boolean> => {
  const { rows } = await sql<{ ok: boolean }>`select pg_try_advisory_xact_lock(${lock}) as ok, ${idleLimit}`.execute(db);
  return rows[0]?.ok === true;
};

const takeChanges = async (db: Db) => {
  const { rows } = await sql<{ device_id: number }>`
    delete from release_change where id in (select id from release_change order by id limit ${batchSize}) returning device_id`.execute(db);
  return rows.map(({ device_id }) => device_id);
};

/**
 * Sets section `release` of these gateways to the rule that applies: that of the device, of its group, or of the nearest VNO with a rule for
 * all devices. The text is the canonical document, so its hash is that of the protocol. An unchanged document keeps its revision.
 */
const setSections = async (db: Db, ids: readonly number[], now: number) => {
  // Same lock order as in reports of sections: device, sections.
  await sql`select from device where id = any(${ids}::bigint[]) order by id for no key update`.execute(db);
  const { rows } = await sql<{ id: number; sn: string }>`
    with applied as (
      select d.id, d.config_floor, case when r.id is null then '{}' else format(
        '{"down":%s,"id":%s,"lock":%s,"max":%s,"n":%s,"refresh":%s,"t":%s,"up":%s}', r.limit_down, r.id, r.lock_time, ${tempReleasesPerGateway.max}::int,
        r.pass_count, r.refresh_time, r.pass_time, r.limit_up) end as doc
      from device d join agent a on a.id = d.agent_id
        cross join lateral (select string_to_array(trim(both '/' from a.path), '/')::bigint[] as ids) line
        left join release_rule_device md on md.device_id = d.id
        left join release_rule of_device on of_device.id = md.rule_id and of_device.status = 1 and of_device.agent_id = any(line.ids)
        left join release_rule_group mg on mg.device_group_id = d.device_group_id
        left join release_rule of_group on of_group.id = mg.rule_id and of_group.status = 1 and of_group.agent_id = any(line.ids)
        left join lateral (
          select o.id from release_rule o where o.target = 'all' and o.status = 1 and o.agent_id = any(line.ids)
          order by array_position(line.ids, o.agent_id) desc limit 1
        ) of_vno on true
        left join release_rule r on r.id = coalesce(of_device.id, of_group.id, of_vno.id)
      where d.id = any(${ids}::bigint[]) and 'release' = any(d.caps)
    ), sent as (
      insert into desired_section as s (device_id, section, rev, hash, doc, update_at)
      select id, ${tempReleaseSection}::text, 1 + config_floor, left(encode(sha256(convert_to(doc, 'UTF8')), 'hex'), 32), doc::jsonb, ${now}::bigint
      from applied order by id
      on conflict (device_id, section) do update set rev = s.rev + 1, hash = excluded.hash, doc = excluded.doc, settled = false, sent_at = null,
        update_at = excluded.update_at
      where s.hash <> excluded.hash
      returning s.device_id
    )
    select d.id, d.sn from sent join device d on d.id = sent.device_id order by d.id`.execute(db);
  for (let at = 0; at < rows.length; at += snsPerNotification)
    await notifyConnections(db, { wake: rows.slice(at, at + snsPerNotification).map(({ sn }) => sn) });
  await notifyChange(
    db,
    'section',
    rows.map(({ id }) => id),
  );
};

/** Brings the rule of changed gateways up to date. Returns whether more changes wait. */
export const refreshTempReleases = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    if (!(await tryLock(tx))) return false;
    const changes = await takeChanges(tx);
    if (changes.length > 0) await setSections(tx, [...new Set(changes)], clock.now());
    return changes.length === batchSize;
  });
