import type { Tx } from './tx.ts';

interface FlowRow {
  readonly device: number;
  readonly acc: string;
  readonly at: number;
  readonly dt: number;
  readonly u: number;
  readonly d: number;
  /** Seconds online in the interval; older gateways do not report them. */
  readonly s: number | undefined;
}

/** Accounts of a report, with the first login in its interval and how long their known sessions overlap with it. */
const subscriberSql = `
  select u.n, s.id, o.since, least(u.dt, nullif(o.known, 0))::int as known
  from json_to_recordset($1::json) as u(n integer, device bigint, acc text, at bigint, dt integer) join device d on d.id = u.device
    join subscriber s on lower(s.account) = lower(u.acc) and s.agent_id in (d.agent_id, device_owner(d.id, u.at))
    cross join lateral (
      select min(o.login_at) as since, sum(least(coalesce(o.logout_at, u.at + u.dt), u.at + u.dt) - greatest(o.login_at, u.at)) as known
      from online_session o where o.subscriber_id = s.id and o.device_id = u.device and o.login_at <= u.at + u.dt and (o.logout_at is null or o.logout_at > u.at)
    ) o`;

const insertSql = `
  insert into usage (subscriber_id, device_id, at, seconds, up_bytes, down_bytes, create_at)
  select u.subscriber, u.device, u.at, u.seconds, u.u, u.d, $2
  from json_to_recordset($1::json) as u(subscriber bigint, device bigint, at bigint, seconds bigint, u bigint, d bigint)`;

/**
 * Traffic and online time of new reports, for metering. The worker charges them in the order of their ids. An account with traffic was
 * online, so without a known session its whole interval counts.
 */
export const storeUsage = async (tx: Tx, rows: readonly FlowRow[]) => {
  const lookups = rows.map(({ device, acc, at, dt }, n) => ({ n, device, acc, at, dt }));
  const found = await tx.query<{ n: number; id: number; since: number | null; known: number | null }>('usage_subscriber', subscriberSql, [
    JSON.stringify(lookups),
  ]);
  const usage = found.flatMap(({ n, id, since, known }) => {
    const row = rows[n];
    if (!row) return [];
    const { device, at, dt, u, d, s } = row;
    // A package bought just before the login is charged, although the interval began earlier.
    return [{ subscriber: id, device, at: Math.max(at, since ?? at), seconds: s ?? known ?? dt, u, d }];
  });
  if (usage.length > 0) await tx.query('usage', insertSql, [JSON.stringify(usage), tx.now]);
};
