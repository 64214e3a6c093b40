import { Random } from '@farlink/contract/kit/random.ts';
import { type Insertable, sql } from 'kysely';
import type { Database } from '../db/tables.ts';
import type { Db } from '../kit/deps.ts';
import { type HistoryDevice, linkHistory } from './link-history.ts';

const day = 86_400;
const weeks = 3;

type Rows<T extends keyof Database> = Insertable<Database[T]>[];

const devicesOf = async (db: Db, now: number) => {
  const { rows } = await sql<HistoryDevice & { readonly people: readonly string[]; readonly fleet: string }>`
    select d.id, d.agent_id, d.sn, coalesce(d.offline_at, ${now}::bigint) as until, coalesce(a.third_id, '') as fleet,
      row_number() over (partition by d.agent_id order by d.id) = 1 as at_sea,
      array(select c.name from customer c where c.agent_id = d.agent_id order by c.id limit 3) as people
    from device d join agent a on a.id = d.agent_id where d.access_at is not null order by d.id`.execute(db);
  return rows;
};

const orders = [
  { to_link: '6d', network: '6d', link_lock: 'global', reason: 'lock', result: 'success' },
  { to_link: 'low_orbit', network: 'low_orbit', link_lock: 'second_satellite', reason: 'no such link', result: 'fail' },
  { to_link: 'lte', network: 'lte', link_lock: 'unlocked', reason: 'switch', result: 'success' },
  { to_link: null, network: 'unknown', link_lock: 'unlocked', reason: 'no answer', result: 'fail' },
] as const;

const fences = [
  { of: /bluesea|southlab/, fence_name: '南海 South China Sea', act: 'portal', lat: 15, lon: 113 },
  { of: /eastsea|cruise|northfish|zhouyu/, fence_name: '东海 East China Sea', act: 'portal', lat: 29, lon: 124 },
  { of: /silkroad|indian|gulf/, fence_name: '马六甲 Malacca Strait', act: 'mute', lat: 2.5, lon: 101 },
] as const;

const containers = [
  { container: 'portal', image: 'farlink/portal:2.4.1', well: 'listening on :8080', ill: 'error: disk quota exceeded' },
  { container: 'dpi-agent', image: 'farlink/dpi-agent:1.9.0', well: 'sync finished, 0 errors', ill: 'restarting (exit code 137)' },
  { container: 'crew-mail', image: 'farlink/crew-mail:3.1.0', well: 'health check passed', ill: 'panic: out of memory' },
] as const;

/** Random times in a range, some hours apart. */
const moments = (random: Random, since: number, until: number, hours: readonly [number, number]): number[] => {
  const found: number[] = [];
  for (let at = since + random.int(0, day); at < until; at += random.int(hours[0] * 3600, hours[1] * 3600)) found.push(at);
  return found;
};

type Device = Pick<Rows<'wan_change'>[number], 'agent_id' | 'device_id' | 'sn'> & { readonly device_id: number };

interface Past {
  readonly links: Rows<'wan_link_log'>;
  readonly switches: Rows<'wan_change'>;
  readonly fences: Rows<'fence_change'>;
  readonly aps: Rows<'ap_link_log'>;
  readonly docker: Rows<'docker_log'>;
  readonly assigned: Rows<'role_assign_log'>;
}

const apRows = (random: Random, of: Device, since: number, until: number): Past['aps'] =>
  ['bridge', 'mess'].flatMap((ap_name, n) => {
    const ap_mac = `00:1a:2b:${(of.device_id % 256).toString(16).padStart(2, '0')}:00:0${n + 1}`;
    const turns = moments(random, since, until, [60, 160]).flatMap((at) => [at, at + random.int(300, 5400)]);
    const line = [since, ...turns].filter((at) => at < until);
    return line.map((create_at, i) => {
      const next = line[i + 1];
      const ap_state = i % 2 === 0 ? 'up' : 'offline';
      const notified = ap_state === 'offline' && random.next() < 0.4;
      return {
        ...of,
        ap_name,
        ap_mac,
        ap_ip: `192.168.1.${11 + n}`,
        ap_state,
        notified,
        duration: next ? next - create_at : null,
        create_at,
      };
    });
  });

const fenceRows = (random: Random, of: Device, fleet: string, since: number, until: number): Past['fences'] => {
  const found = fences.find((fence) => fence.of.test(fleet));
  if (!found) return [];
  const { fence_name, act, lat, lon } = found;
  return moments(random, since, until, [40, 130]).map((create_at, i) => {
    const isIn = i % 2 === 0;
    const position = { latitude: lat + random.next() * 2 - 1, longitude: lon + random.next() * 2 - 1 };
    const event = { fence_name, fence_state: isIn ? 'in' : 'out', action: isIn ? act : null } as const;
    return { ...of, ...event, ...position, network: random.pick(['6d', 'low_orbit', 'l_band']), create_at };
  });
};

const dockerRows = (random: Random, of: Device, operator: () => string, since: number, until: number): Past['docker'] =>
  moments(random, since, until, [60, 150]).map((create_at) => {
    const { well, ill, ...event } = random.pick(containers);
    const isIll = random.next() < 0.2;
    const collected = random.next() < 0.5;
    return {
      ...of,
      ...event,
      docker_status: isIll ? (2 as const) : (1 as const),
      content: isIll ? ill : well,
      create_at,
      cpu: random.int(1, 35),
      memory: random.int(20, 400) * 1_048_576,
      ...(collected
        ? { operator: operator() }
        : { action: isIll ? ('restart' as const) : random.pick(['start', 'restart', 'install'] as const) }),
      result: isIll && !collected ? ('fail' as const) : ('success' as const),
    };
  });

const assignRows = (random: Random, of: Device, operator: () => string, since: number, until: number): Past['assigned'] =>
  moments(random, since, until, [150, 400]).map((create_at) => {
    const role_name = random.pick(['船端管理 Ship admin', '船端只读 Ship viewer']);
    const common = {
      username: random.pick(['root', 'captain', 'engineer']),
      role_name,
      operator: operator(),
      ip: `10.8.0.${random.int(2, 250)}`,
    };
    const failed = random.next() < 0.15;
    return {
      ...of,
      ...common,
      before: '-',
      after: role_name.includes('viewer') ? 'status: 10' : 'status: 11, network: 11',
      create_at,
      ...(failed
        ? { result: 'fail' as const, message_zh: '网关离线', message_en: 'The gateway is offline' }
        : { result: 'success' as const }),
    };
  });

/** PostgreSQL allows 65,535 parameters per statement. */
const chunks = <T>(rows: readonly T[], size = 1000): T[][] =>
  Array.from({ length: Math.ceil(rows.length / size) }, (_, i) => rows.slice(i * size, (i + 1) * size));
const byTime = <T extends { readonly create_at: number }>(rows: readonly T[]) => chunks(rows.toSorted((a, b) => a.create_at - b.create_at));

/** Three weeks of gateway reports before the start of the demo. */
export const seedFieldHistory = async (db: Db, { now }: { readonly now: number }) => {
  const random = new Random(1313);
  const since = now - weeks * 7 * day;
  const past: Past = { links: [], switches: [], fences: [], aps: [], docker: [], assigned: [] };
  for (const { people, fleet, ...device } of await devicesOf(db, now)) {
    const of = { agent_id: device.agent_id, device_id: device.id, sn: device.sn };
    const operator = () => random.pick(people);
    const { links, switches } = linkHistory(random, device, since);
    past.links.push(...links);
    past.switches.push(...switches);
    for (const create_at of moments(random, since, device.until, [120, 300])) {
      const order = { source: 'send', from_link: 'l_band', change_mode: 'default', operator: operator(), ...random.pick(orders) } as const;
      past.switches.push({ ...of, ...order, create_at });
    }
    past.fences.push(...fenceRows(random, of, fleet, since, device.until));
    // A simulated ship reports its access points itself.
    if (!device.at_sea) past.aps.push(...apRows(random, of, since, device.until));
    past.docker.push(...dockerRows(random, of, operator, since, device.until));
    past.assigned.push(...assignRows(random, of, operator, since, device.until));
  }
  for (const rows of byTime(past.links)) await db.insertInto('wan_link_log').values(rows).execute();
  for (const rows of byTime(past.switches)) await db.insertInto('wan_change').values(rows).execute();
  for (const rows of byTime(past.fences)) await db.insertInto('fence_change').values(rows).execute();
  for (const rows of byTime(past.aps)) await db.insertInto('ap_link_log').values(rows).execute();
  for (const rows of byTime(past.docker)) await db.insertInto('docker_log').values(rows).execute();
  for (const rows of byTime(past.assigned)) await db.insertInto('role_assign_log').values(rows).execute();
};
