import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

/**
 * Notification rules for the first devices of each VNO: all important events to the operations centre, cost events to the shore office. The
 * mailboxes are in a domain that never exists, and no mail server is set, so the demo sends no mail.
 */
export const seedNotifyRules = async (db: Db, now: number) => {
  await sql`
    insert into notify_rule (kind, device_id, events, emails, status, lang, remark, creator, create_at, update_at)
    select r.kind, d.id, r.events, array(select replace(m, '@', '@' || d.domain || '.') from unnest(r.mailboxes) m), r.status, 'zh', r.remark,
      d.username, d.at - (d.n * 11 + r.k) * 86400, d.at - (d.n * 11 + r.k) * 86400
    from (
      select device.id, c.username, lower(replace(a.third_id, 'T-', '')) as domain, row_number() over (partition by a.id order by device.id) as n,
        ${now}::bigint - device.id * 7919 % 36000 as at
      from device join agent a on a.id = device.agent_id join customer c on c.agent_id = a.id and c.is_owner
      where a.third_id is not null
    ) d
    join (values
      (1, 1, 'status', '{offline,online,link}'::text[], '{noc@example,duty@example}'::text[], 1, '运维值班'),
      (2, 2, 'status', '{auth}', '{shore@example}', 1, '授权续费'),
      (3, 3, 'status', '{offline}', '{noc@example}', 0, '坞修期间停用'),
      (4, 1, 'ap', '{up,offline}', '{noc@example}', 1, null)
    ) as r(k, n, kind, events, mailboxes, status, remark) on r.n = d.n`.execute(db);
};
