import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';

const days = 7;
const everyS = 900;

/**
 * A week of load samples with a daily cycle, up to the start of the demo or the last report of the ship. Also the factory accounts of each
 * gateway.
 */
export const seedTelemetry = async (db: Db, { now }: { readonly now: number }) => {
  await sql`
    insert into device_load (device_id, at, cpu, memory, disk, session_count, temperature)
    select d.id, t, greatest(3, least(97, 22 + 14 * day + (hash % 13) - 6)), greatest(10, least(95, 46 + 6 * day + (hash / 13) % 7)),
      28 + d.id % 9 + (${days * 86_400}::bigint - ago) / 172800, greatest(0, round(60 + 55 * day + hash % 23)), round(44 + 6 * day)
    from device d
      cross join generate_series(${everyS}::bigint, ${days * 86_400}::bigint, ${everyS}::bigint) as ago
      cross join lateral (select coalesce(d.offline_at, ${now}::bigint) - ago as t) as moment
      cross join lateral (select sin((t % 86400) / 86400.0 * 2 * pi() - 2 + d.id) as day, abs(hashtext(d.id || '-' || t)) % 1000 as hash) as w`.execute(
    db,
  );
  await sql`
    insert into device_account (device_id, username, last_login_at, update_at)
    select d.id, a.username, case when a.username = 'admin' then ${now}::bigint - 86400 * (1 + d.id % 40) end, d.create_at
    from device d cross join (values ('admin'), ('engineer')) as a(username)`.execute(db);
};
