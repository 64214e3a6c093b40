import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

/** Content of a mail: its rules, and the access point events it reports. */
export interface About {
  readonly rules: readonly number[];
  readonly aps: readonly {
    readonly device_id: number;
    readonly part: string;
    readonly state: string;
    readonly first_at: number;
    readonly last_at: number;
  }[];
}

const isAbout = (value: unknown): value is About =>
  typeof value === 'object' &&
  value !== null &&
  'rules' in value &&
  Array.isArray(value.rules) &&
  'aps' in value &&
  Array.isArray(value.aps);

/** Marks the rules and the access point log as notified after the mail was sent. */
export const markNotified = async (db: Db, about: unknown, now: number) => {
  if (!isAbout(about)) return;
  await sql`update notify_rule set last_notify_at = ${now} where id = any(${[...about.rules]}::bigint[])`.execute(db);
  if (about.aps.length > 0)
    await sql`
      update ap_link_log l set notified = true
      from json_to_recordset(${JSON.stringify(about.aps)}::json) as u(device_id bigint, part text, state text, first_at bigint, last_at bigint)
      where l.device_id = u.device_id and lower(coalesce(l.ap_mac, l.ap_name)) = lower(u.part) and l.ap_state = u.state
        and l.create_at between u.first_at and u.last_at`.execute(db);
};
