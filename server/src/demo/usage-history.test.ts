/** @module-tag all */
import { dayNumber } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApi } from '../../test/api.ts';
import { trafficSums } from '../../test/traffic-tables.ts';

let api: Awaited<ReturnType<typeof startApi>>;
beforeAll(async () => {
  api = await startApi({ DEMO: 'on', SIMULATE: 'off' });
}, 240_000);
afterAll(() => api.close());

const one = async <T>(query: ReturnType<typeof sql<T>>) => (await query.execute(api.db)).rows[0];

it('has the same total bytes in links, accounts, days and packages', async () => {
  const sums = await one(sql<Record<string, number>>`
    select (select sum(up_bytes + down_bytes) from user_flow)::bigint as reported,
      (select sum(up_bytes + down_bytes) from online_session)::bigint as sessions,
      (select sum(user_bytes) from traffic_day)::bigint as days,
      (select sum(link_bytes - own_bytes) from traffic_day)::bigint as links,
      (select sum(charged_bytes + overrun_bytes) from traffic_day)::bigint as charged,
      (select sum(used_flow) from holding)::bigint + (select coalesce(sum(overrun_bytes), 0) from meter)::bigint as packages`);
  expect(sums?.reported).toBeGreaterThan(1e9);
  expect(new Set(Object.values(sums ?? {}))).toEqual(new Set([sums?.reported]));
});

it('has the same traffic in reports, hours, days and sums', async () => {
  for (const [name, [left, right]] of Object.entries(await trafficSums(api.db))) {
    expect(Object.keys(Object(left)).length, name).toBeGreaterThan(0);
    expect(right, name).toEqual(left);
  }
  const apps = await one(sql<{ n: number }>`select count(distinct protocol_id)::int as n from dpi_agent_day where kind = 'dpi_usr'`);
  expect(apps?.n).toBeGreaterThan(10);
});

it('covers the whole day: quiet at night, most in the evening', async () => {
  const { rows } = await sql<{ hour: number; bytes: number }>`
    select ((time / 3600 + 8) % 24)::int as hour, sum(up_bytes + down_bytes)::float8 as bytes from agent_flow_hour where kind = 'flow_usr' group by 1 order by 1`.execute(
    api.db,
  );
  expect(rows.map(({ hour }) => hour)).toEqual(Array.from({ length: 24 }, (_, hour) => hour));
  const mean = (from: number, to: number) => rows.slice(from, to).reduce((sum, { bytes }) => sum + bytes, 0) / (to - from);
  const today = await one(sql<{ n: number }>`select count(*)::int as n from traffic_day where day = ${dayNumber(api.clock.now())}`);
  expect(today, 'the history ends yesterday').toEqual({ n: 0 });
  expect(mean(1, 6)).toBeLessThan(mean(9, 16) / 2);
  expect(mean(19, 23)).toBeGreaterThan(1.3 * mean(9, 16));
});

it('has no usage that no gateway reported', async () => {
  const odd = await one(sql<{ n: number }>`
    select count(*)::int as n from holding h where (h.used_flow > 0 or h.activated_at is not null)
      and not exists (select from online_session o where o.subscriber_id = h.subscriber_id)`);
  expect(odd).toEqual({ n: 0 });
  const logs = await one(sql<{ n: number }>`select (select count(*) from sync_log)::int + (select count(*) from policy_log)::int as n`);
  expect(logs, 'only gateways confirm').toEqual({ n: 0 });
});

it('has release rules for each target, and records of earlier days with a rule and a MAC', async () => {
  const rules = await one(sql<Record<string, number>>`
    select count(*) filter (where target = 'all')::int as "all", count(*) filter (where target = 'device')::int as device,
      count(*) filter (where target = 'group')::int as "group" from release_rule`);
  expect(Object.values(rules ?? {}).every((n) => n > 0)).toBe(true);
  const records = await one(sql<{ n: number; odd: number; night: number }>`
    select count(*)::int as n, count(*) filter (where rule_name is null or mac is null)::int as odd,
      count(*) filter (where (create_at + 28800) % 86400 not between 8 * 3600 and 21 * 3600)::int as night from release_event`);
  expect(records?.n).toBeGreaterThan(20);
  // At any time of the day the test runs, the records end yesterday.
  expect(records).toMatchObject({ odd: 0, night: 0 });
});

it('has audit data of all kinds for several VNOs, in batches, with subscribers and sessions', async () => {
  const kinds = ['auth', 'identity', 'url', 'forum', 'mail', 'terminal'];
  let all = 0;
  for (const kind of kinds) {
    const found = await one(sql<{ n: number; vnos: number; unbound: number; unknown: number }>`
      select count(*)::int as n, count(distinct a.agent_id)::int as vnos, count(*) filter (where b.id is null)::int as unbound,
        count(*) filter (where a.subscriber_id is null)::int as unknown
      from ${sql.table(`audit_${kind}`)} a left join audit_batch b on b.id = a.batch`);
    expect(found, kind).toMatchObject({ unbound: 0, unknown: 0 });
    expect(found?.n, kind).toBeGreaterThan(50);
    expect(found?.vnos, kind).toBeGreaterThan(3);
    all += found?.n ?? 0;
  }
  expect(all).toBeGreaterThan(3000);
  expect(all).toBeLessThan(12_000);
  const odd = await one(sql<{ n: number; sealed: number }>`
    select count(*) filter (where o.id is null)::int as n, count(a.sealed)::int - count(*)::int as sealed
    from audit_auth a left join online_session o on o.device_id = a.device_id and o.session_id = a.session_id`);
  expect(odd).toEqual({ n: 0, sealed: 0 });
});
