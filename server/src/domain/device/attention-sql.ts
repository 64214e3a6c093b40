import type { Attention } from '@farlink/contract/device/attention.ts';
import { failedStatuses } from '@farlink/contract/file/choices.ts';
import { dayNumber, dayStart } from '@farlink/contract/kit/zone.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

const day = 86_400;

/** Same as the state `drifted` of `shadowState`. */
const drifted = sql<SqlBool>`device.id in (
  select r.device_id from reported_section r join desired_section d on d.device_id = r.device_id and d.section = r.section
  where r.local and r.rev >= d.rev and r.hash is distinct from d.hash)`;

/** The conditions match the partial indexes. A task belongs to the VNO of its time. */
const failing = (now: number) => {
  const since = now - limits.failingHours * 3600;
  const failed = sql`ended and status in (${sql.join(failedStatuses.map((status) => sql.lit(status)))})`;
  return sql<SqlBool>`(device.id, device.agent_id) in (
    select device_id, agent_id from file_task_device where ${failed} and update_at >= ${since}
    union all select device_id, agent_id from portal_task where ${failed} and update_at >= ${since}
    union all select device_id, agent_id from upgrade_device where state in ('failed', 'rolled_back') and finish_at >= ${since}
    union all select device_id, agent_id from config_campaign_device where state in ('refused', 'invalid', 'lost') and update_at >= ${since})`;
};

const expiring = (now: number) => sql<SqlBool>`(device.auth_status in ('formal', 'test')
  and device.auth_expire_at > ${now} and device.auth_expire_at <= ${now + limits.expiringDays * day})`;

/** Few devices have so much traffic today, so the days of the others are not read. */
const unusual = async (db: Db, now: number) => {
  const today = dayStart(now);
  const bytes = sql`sum(s.up_bytes + s.down_bytes)`;
  const isToday = sql`filter (where s.time >= ${today})`;
  const isPast = sql`filter (where s.time < ${today})`;
  // Read first: these sums may be on other machines than the devices.
  const { rows } = await sql<{ device_id: number; agent_id: number }>`
    select s.device_id, s.agent_id from flow_sum_day s
    where s.device_id = any(array(select f.device_id from device_flow_day f where f.day = ${dayNumber(now)} and f.bytes > ${limits.unusualBytes}))
      and s.kind = 'flow_usr' and s.time between ${today - limits.unusualDays * day} and ${today}
    group by s.device_id, s.agent_id
    having ${bytes} ${isToday} > ${limits.unusualBytes}
      and ${bytes} ${isToday} > ${limits.unusualTimes} * (${bytes} ${isPast} / nullif(count(distinct s.time) ${isPast}, 0))`.execute(db);
  const devices = rows.map(({ device_id }) => device_id);
  const agents = rows.map(({ agent_id }) => agent_id);
  return sql<SqlBool>`(device.id, device.agent_id) in (select * from unnest(${devices}::bigint[], ${agents}::bigint[]))`;
};

/** Condition on rows of `device`. */
export const attentionSql = async (db: Db, what: Attention, now: number): Promise<RawBuilder<SqlBool>> => {
  if (what === 'unusual') return unusual(db, now);
  return { drifted: () => drifted, failing: () => failing(now), expiring: () => expiring(now) }[what]();
};
