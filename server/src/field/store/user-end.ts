import type { MovedCommand } from './commit-items.ts';
import type { Tx } from './tx.ts';

const recountSql = `
  update subscriber s set
    online_count = (select least(count(*), 30000) from online_session o where o.subscriber_id = s.id and o.logout_at is null),
    first_use_at = least(s.first_use_at, u.first)
  from json_to_recordset($1::json) as u(id bigint, first bigint) where s.id = u.id`;

/** Recounts the open sessions of each account and updates its first use. */
export const recount = (tx: Tx, rows: readonly { readonly id: number; readonly first?: number | undefined }[]) =>
  tx.query('user_recount', recountSql, [JSON.stringify(rows)]);

/** Lock order: accounts before their sessions, by id. */
const lockSql = `
  select s.id from subscriber s where s.id in (
    select o.subscriber_id from online_session o join json_to_recordset($1::json) as u(device bigint, sid text)
      on o.device_id = u.device and o.session_id = coalesce(u.sid, o.session_id)
    where o.logout_at is null
  ) order by s.id for no key update`;

const lostSql = `
  update online_session o set logout_at = greatest(o.login_at, least($2, case when u.sid is null then d.boot_at end)), terminate_cause = 'lost',
    up_speed = 0, down_speed = 0
  from json_to_recordset($1::json) as u(device bigint, sid text) join device d on d.id = u.device
  where o.device_id = u.device and o.session_id = coalesce(u.sid, o.session_id) and o.logout_at is null
  returning o.subscriber_id, o.device_id`;

/** Ends single sessions of gateways, or all sessions of a gateway. */
const endSessions = async (tx: Tx, of: readonly { readonly device: number; readonly sid?: unknown }[]) => {
  const json = JSON.stringify(of);
  await tx.query('user_lock', lockSql, [json]);
  const lost = await tx.query<{ subscriber_id: number; device_id: number }>('user_lost', lostSql, [json, tx.now]);
  const subscribers = [...new Set(lost.map((l) => l.subscriber_id))];
  if (subscribers.length > 0)
    await recount(
      tx,
      subscribers.map((id) => ({ id })),
    );
  for (const { device_id } of lost) tx.changed('user', device_id);
};

/** A gateway that has just booted has no user sessions. */
export const endSessionsOf = async (tx: Tx, rebooted: readonly number[]) => {
  if (rebooted.length > 0)
    await endSessions(
      tx,
      rebooted.map((device) => ({ device })),
    );
};

/** The gateway does not have the session, so it has ended without a report. */
export const completeKicks = async (tx: Tx, commands: readonly MovedCommand[]) => {
  const unknown = commands
    .filter(({ err }) => err === 'no such session')
    .map(({ device_id, args }) => ({ device: device_id, sid: args.sid }));
  if (unknown.length > 0) await endSessions(tx, unknown);
  for (const { device_id } of commands) tx.changed('user', device_id);
};
