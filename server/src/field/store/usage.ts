import type { Tx } from './tx.ts';

interface FlowRow {
  readonly device: number;
  readonly acc: string;
  readonly at: number;
  readonly dt: number;
  readonly u: number;
  readonly d: number;
}

interface Usage {
  readonly subscriber: number;
  readonly device: number;
  readonly at: number;
  readonly seconds: number;
  readonly u: number;
  readonly d: number;
}

/** A session that began within the interval had no traffic before, so its usage starts with it. */
const subscriberSql = `
  select distinct on (u.device, u.acc, u.at) u.device, u.acc, u.at, s.id, greatest(u.at, (
    select min(o.login_at) from online_session o where o.device_id = u.device and o.subscriber_id = s.id and o.login_at <= u.at + u.dt
      and (o.logout_at is null or o.logout_at >= u.at)
  )) as since
  from json_to_recordset($1::json) as u(device bigint, acc text, at bigint, dt bigint) join device d on d.id = u.device
    join subscriber s on lower(s.account) = lower(u.acc) and s.agent_id in (d.agent_id, device_owner(d.id, u.at))`;

/** Online time of the open sessions of these devices that was not counted yet. */
const timeSql = `
  with u as (select * from json_to_recordset($1::json) as u(device bigint, until bigint)), was as (
    select o.id, coalesce(o.counted_at, o.login_at) as since, least(u.until, $2) as until
    from online_session o join u on u.device = o.device_id
    where o.logout_at is null and o.source = 'gateway' and coalesce(o.counted_at, o.login_at) < least(u.until, $2)
    order by o.id for no key update of o
  )
  update online_session o set counted_at = was.until from was where o.id = was.id
  returning o.subscriber_id as subscriber, o.device_id as device, was.since, was.until`;

/** The rest of an ended session. Another open session of the account at the gateway counts the same time. */
const endedSql = `
  with was as (
    select o.id, coalesce(o.counted_at, o.login_at) as since,
      exists (select from online_session p where p.device_id = o.device_id and p.subscriber_id = o.subscriber_id and p.logout_at is null) as is_shared
    from online_session o join json_to_recordset($1::json) as u(device bigint, sid text) on o.device_id = u.device and o.session_id = u.sid
    where o.source = 'gateway' and o.logout_at > coalesce(o.counted_at, o.login_at)
  )
  update online_session o set counted_at = o.logout_at from was where o.id = was.id
  returning o.subscriber_id as subscriber, o.device_id as device, was.since, case when was.is_shared then was.since else o.logout_at end as until`;

interface Span {
  readonly subscriber: number;
  readonly device: number;
  readonly since: number;
  readonly until: number;
}

const insertSql = `
  insert into usage (subscriber_id, device_id, at, seconds, up_bytes, down_bytes, create_at)
  select u.subscriber, u.device, u.at, u.seconds, u.u, u.d, $2
  from json_to_recordset($1::json) as u(subscriber bigint, device bigint, at bigint, seconds bigint, u bigint, d bigint)`;

const insert = async (tx: Tx, rows: readonly Usage[]) => {
  if (rows.length > 0) await tx.query('usage', insertSql, [JSON.stringify(rows), tx.now]);
};

const idKey = (device: number, subscriber: number) => `${device} ${subscriber}`;

/** Time of an account at a gateway: sessions at the same time count once. */
const spansOf = (spans: readonly Span[]): Map<string, Span> => {
  const longest = new Map<string, Span>();
  for (const span of spans) {
    const key = idKey(span.device, span.subscriber);
    const was = longest.get(key);
    if (!was || span.until - span.since > was.until - was.since) longest.set(key, span);
  }
  return longest;
};

/** Traffic and online time for metering. The rows are charged by the worker, in the order of their ids. */
export const storeUsage = async (tx: Tx, rows: readonly FlowRow[]) => {
  const known = await tx.query<{ device: number; acc: string; at: number; id: number; since: number }>('usage_subscriber', subscriberSql, [
    JSON.stringify(rows.map(({ device, acc, at, dt }) => ({ device, acc, at, dt }))),
  ]);
  const foundOf = new Map(known.map((found) => [`${found.device} ${found.at} ${found.acc}`, found]));
  const untilOf = new Map<number, number>();
  for (const { device, at, dt } of rows) untilOf.set(device, Math.max(untilOf.get(device) ?? 0, at + dt));
  const ends = [...untilOf].map(([device, until]) => ({ device, until }));
  const spans = spansOf(await tx.query<Span>('usage_time', timeSql, [JSON.stringify(ends), tx.now]));
  const usage: Usage[] = [];
  for (const { device, acc, at, dt, u, d } of rows) {
    const found = foundOf.get(`${device} ${at} ${acc}`);
    if (!found) continue;
    const subscriber = found.id;
    const key = idKey(device, subscriber);
    const span = spans.get(key);
    const isOwn = span !== undefined && span.since < at + dt && at < span.until;
    const seconds = isOwn ? Math.min(dt, span.until - Math.max(at, span.since)) : 0;
    if (span && isOwn) spans.set(key, { ...span, until: span.until - seconds });
    usage.push({ subscriber, device, at: isOwn ? Math.max(at, span.since) : found.since, seconds, u, d });
  }
  // Time without traffic, or of batches that are still missing.
  for (const { subscriber, device, since, until } of spans.values())
    if (until > since) usage.push({ subscriber, device, at: since, seconds: until - since, u: 0, d: 0 });
  await insert(tx, usage);
};

/** Counts the online time of sessions up to their end. */
export const countEndedTime = async (tx: Tx, ended: readonly { readonly device: number; readonly sid: string }[]) => {
  if (ended.length === 0) return;
  const spans = await tx.query<Span>('usage_ended', endedSql, [JSON.stringify(ended)]);
  await insert(
    tx,
    spans.flatMap(({ subscriber, device, since, until }) =>
      until > since ? [{ subscriber, device, at: since, seconds: until - since, u: 0, d: 0 }] : [],
    ),
  );
};
