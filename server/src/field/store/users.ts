import { rejectionOf } from '../../domain/subscriber/rejection.ts';
import type { NewEvent } from './commit-items.ts';
import type { Tx } from './tx.ts';
import { recount } from './user-end.ts';

/** Lock order: accounts before their sessions, by id, as in a kick by an operator. */
const subscriberSql = `
  select u.agent, u.acc, s.id from json_to_recordset($1::json) as u(device bigint, agent bigint, acc text) join device d on d.id = u.device
    join subscriber s on lower(s.account) = lower(u.acc) and s.agent_id in (u.agent, d.agent_id)
  order by s.id for no key update of s`;

/** Subscriber ids of the reported accounts. A gateway may report only accounts of its VNO at that time, or those that moved with it. */
const subscribersOf = async (tx: Tx, events: readonly NewEvent[]) => {
  const named = new Map(events.map(({ device, agent, doc }) => [`${agent} ${String(doc.acc)}`, { device, agent, acc: doc.acc }]));
  const rows = await tx.query<{ agent: number; acc: string; id: number }>('user_subscriber', subscriberSql, [
    JSON.stringify([...named.values()]),
  ]);
  const ids = new Map(rows.map(({ agent, acc, id }) => [`${agent} ${acc}`, id]));
  return ({ agent, doc }: NewEvent) => ids.get(`${agent} ${String(doc.acc)}`);
};

interface Session {
  device: number;
  agent: number;
  subscriber: number;
  sid: string;
  boot: string;
  login_at?: number;
  logout_at?: number;
  why?: unknown;
  ip?: unknown;
  mac?: unknown;
  u?: unknown;
  d?: unknown;
}

/**
 * Events may arrive in any order: a logout before its login creates an ended session. Sessions of an earlier boot have ended. The bytes of
 * a logout are the session total and replace the counted ones.
 */
const sessionSql = `
  insert into online_session as s (subscriber_id, agent_id, device_id, session_id, ip, mac, login_at, logout_at, up_bytes, down_bytes, terminate_cause)
  select u.subscriber, u.agent, u.device, u.sid, u.ip, u.mac, coalesce(u.login_at, u.logout_at),
    case when u.logout_at is not null then greatest(u.logout_at, u.login_at) when u.boot <> d.boot then greatest(u.login_at, d.boot_at) end,
    coalesce(u.u, 0), coalesce(u.d, 0),
    case when u.logout_at is not null then coalesce(u.why, 'user') when u.boot <> d.boot then 'lost' end
  from json_to_recordset($1::json) as u(device bigint, agent bigint, subscriber bigint, sid text, boot text, login_at bigint, logout_at bigint, why text,
    ip text, mac text, u bigint, d bigint) join device d on d.id = u.device
  on conflict (device_id, session_id) do update set
    login_at = least(s.login_at, excluded.login_at), ip = coalesce(s.ip, excluded.ip), mac = coalesce(s.mac, excluded.mac),
    logout_at = case when s.logout_at is null or excluded.terminate_cause <> 'lost' then coalesce(excluded.logout_at, s.logout_at) else s.logout_at end,
    terminate_cause = case when s.logout_at is null or excluded.terminate_cause <> 'lost'
      then coalesce(excluded.terminate_cause, s.terminate_cause) else s.terminate_cause end,
    up_bytes = case when excluded.up_bytes > 0 then excluded.up_bytes else s.up_bytes end,
    down_bytes = case when excluded.down_bytes > 0 then excluded.down_bytes else s.down_bytes end,
    up_speed = case when excluded.logout_at is null then s.up_speed else 0 end,
    down_speed = case when excluded.logout_at is null then s.down_speed else 0 end
  where s.source = 'gateway'`;

/** Stores logins and logouts of subscribers behind a gateway. */
export const storeUserEvents = async (tx: Tx, events: readonly NewEvent[]) => {
  const subscriberOf = await subscribersOf(tx, events);
  const sessions = new Map<string, Session>();
  for (const event of events) {
    const subscriber = subscriberOf(event);
    // RADIUS accounting reports the sessions that RADIUS authorised.
    if (subscriber === undefined || event.doc.via === 'aaa') continue;
    const { device, agent, doc, at, id } = event;
    const sid = String(doc.sid);
    const [boot = ''] = id.split('-');
    const session = sessions.get(`${device} ${sid}`) ?? { device, agent, subscriber, sid, boot };
    const reported = { ip: doc.ip ?? session.ip, mac: doc.mac ?? session.mac };
    const change = doc.in === true ? { ...reported, login_at: at } : { ...reported, logout_at: at, why: doc.why, u: doc.u, d: doc.d };
    sessions.set(`${device} ${sid}`, { ...session, ...change });
  }
  const rows = [...sessions.values()];
  if (rows.length === 0) return;
  await tx.query('user_session', sessionSql, [JSON.stringify(rows)]);
  const first = new Map<number, number | undefined>();
  for (const { subscriber, login_at, logout_at } of rows) {
    const at = login_at ?? logout_at;
    const was = first.get(subscriber);
    first.set(subscriber, was === undefined ? at : Math.min(was, at ?? was));
  }
  await recount(
    tx,
    [...first].map(([id, at]) => ({ id, first: at })),
  );
  for (const { device } of rows) tx.changed('user', device);
};

export const storeRejections = async (tx: Tx, events: readonly NewEvent[]) => {
  // The RADIUS server has stored its own rejections.
  const refused = events.filter(({ doc }) => doc.ok === false && doc.via !== 'aaa');
  if (refused.length === 0) return;
  const subscriberOf = await subscribersOf(tx, refused);
  const rows = refused.flatMap((event) => {
    const subscriber = subscriberOf(event);
    const { device, at, doc } = event;
    return subscriber === undefined ? [] : [{ subscriber, device, at, reason: rejectionOf(doc.why), mac: doc.mac }];
  });
  await tx.query(
    'user_rejection',
    `insert into login_rejection (subscriber_id, device_id, reason, mac, create_at)
     select u.subscriber, u.device, u.reason, u.mac, u.at
     from json_to_recordset($1::json) as u(subscriber bigint, device bigint, reason text, mac text, at bigint)`,
    [JSON.stringify(rows)],
  );
  for (const { device } of rows) tx.changed('user', device);
};

/** Limit of accounts per gateway, so that logins with new names cannot fill the table. */
const maxAccounts = 64;

const loginSql = `
  insert into device_account as a (device_id, username, last_login_at, update_at)
  select u.device, u.acc, max(u.at), $2 from json_to_recordset($1::json) as u(device bigint, acc text, at bigint)
  where exists (select from device_account k where k.device_id = u.device and k.username = u.acc)
    or (select count(*) from device_account k where k.device_id = u.device) < ${maxAccounts}
  group by u.device, u.acc order by u.device, u.acc
  on conflict (device_id, username) do update set last_login_at = greatest(a.last_login_at, excluded.last_login_at)`;

/** Stores logins to the gateway's own pages. */
export const storeLogins = async (tx: Tx, events: readonly NewEvent[]) => {
  const rows = events.filter(({ doc }) => doc.ok === true).map(({ device, at, doc }) => ({ device, at, acc: doc.acc }));
  if (rows.length > 0) await tx.query('user_login', loginSql, [JSON.stringify(rows), tx.now]);
};
