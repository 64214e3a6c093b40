import { Random } from '@farlink/contract/kit/random.ts';
import { dayStart } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import { type Message, storeMessages } from '../field/store/store.ts';
import type { Db, Deps } from '../kit/deps.ts';

const day = 86_400;
const boot = 'rels0001';
/** Days with records before the first start. */
const recordDays = 5;

/** Rules for temporary release: one of the platform for all devices, and per VNO one for two ships, one for a group and one that is off. */
export const seedTempReleaseRules = async (db: Db, platformId: number, now: number) => {
  await sql`
    with made as (
      insert into release_rule (agent_id, name, target, pass_time, pass_count, lock_time, refresh_time, limit_up, limit_down, status, create_at, update_at)
      select a.id, r.name, r.target, r.t, r.n, r.lock, r.refresh, r.up, r.down, r.status, ${now}::bigint - (r.k * 17 + a.id % 9) * ${day}::bigint,
        ${now}::bigint - (r.k * 17 + a.id % 9) * ${day}::bigint
      from (values
        (1, '默认放行', 'all', 300, 3, 600, 86400, 64, 128, 1),
        (2, '旗舰船放行', 'device', 600, 5, 600, 43200, 128, 256, 1),
        (3, '船队付款放行', 'group', 180, 2, 1800, 86400, 32, 64, 1),
        (4, '坞修期间放行', 'device', 0, 0, 0, 0, 0, 0, 0)
      ) as r(k, name, target, t, n, lock, refresh, up, down, status)
      join agent a on case r.target when 'all' then a.id = ${platformId} when 'device' then exists (select from device d where d.agent_id = a.id offset 2)
        else exists (select from device_group g join device d on d.device_group_id = g.id where g.agent_id = a.id) end and (r.k = 1 or a.id <> ${platformId})
      returning id, agent_id, name
    ), ships as (
      insert into release_rule_device (device_id, rule_id)
      select d.id, m.id from made m join (select id, agent_id, row_number() over (partition by agent_id order by id) as n from device) d
        on d.agent_id = m.agent_id and (m.name = '旗舰船放行' and d.n <= 2 or m.name = '坞修期间放行' and d.n = 3)
    )
    insert into release_rule_group (device_group_id, rule_id)
    select min(g.id), m.id from made m join device_group g on g.agent_id = m.agent_id where m.name = '船队付款放行' group by m.id`.execute(
    db,
  );
};

interface Ship {
  readonly sn: string;
  readonly rule: number;
  readonly t: number;
}

/** Ships that have been in service, with the rule for two ships or that of the platform. */
const shipsOf = async (db: Db): Promise<Ship[]> => {
  const { rows } = await sql<Ship>`
    select d.sn, r.id as rule, r.pass_time as t from device d
      left join release_rule_device m on m.device_id = d.id
      join release_rule r on r.status = 1 and case when m.rule_id is null then r.target = 'all' else r.id = m.rule_id end
    where d.access_at is not null and d.device_group_id is null or m.rule_id is not null and d.access_at is not null order by d.id`.execute(
    db,
  );
  return rows;
};

const macOf = (random: Random) => `02:${Array.from({ length: 5 }, () => random.int(0, 255).toString(16).padStart(2, '0')).join(':')}`;

/** A release: its start, its end, and the traffic of the gateway that it caused. */
const messagesOf = (random: Random, { sn, rule, t }: Ship, from: number, seq: number): Message[] => {
  const send = (content: Message['content']): Message => ({ sn, conn: boot, content });
  const mac = macOf(random);
  const u = random.int(20_000, 900_000);
  const d = random.int(200_000, 9_000_000);
  const left = random.next() < 0.4 ? random.int(30, t - 1) : t;
  const event = (n: number, at: number, doc: Record<string, string | number>) =>
    send({ kind: 'event', body: { id: `${boot}-${seq * 10 + n}`, k: 'release', t: at, doc: { mac, rule, ...doc } } });
  const purpose = random.next() < 0.6 ? 'pay' : 'user';
  const end = from + left;
  const refused = random.next() < 0.15 ? [event(2, end + 900, { st: 'refused', why: 'count', for: purpose, until: from + day })] : [];
  const batch = { b: boot, seq, t0: from, dt: left };
  return [
    event(0, from, { st: 'start', for: purpose, until: from + t }),
    event(1, end, { st: 'end', why: left < t ? 'login' : 'time', u, d, until: end }),
    ...refused,
    send({ kind: 'batch', stream: 'mgt', body: { ...batch, rows: [{ svc: 'release', u, d, i: '6d' }] } }),
    send({ kind: 'batch', stream: 'mdpi', body: { ...batch, rows: [{ app: '7', u, d, i: '6d', n: 1 + Math.floor((u + d) / 500_000) }] } }),
    send({ kind: 'batch', stream: 'flow', body: { ...batch, rows: [{ i: '6d', u, d }] } }),
  ];
};

/** Release records of the last days until yesterday, each in the daytime of UTC+8, through the handlers of the device protocol. */
export const seedTempReleaseRecords = async ({ db, pool, clock }: Deps) => {
  const random = new Random(4545);
  const now = clock.now();
  const today = dayStart(now);
  const ships = await shipsOf(db);
  const messages = ships.flatMap((ship) =>
    Array.from({ length: recordDays }, (_, ago) => ago + 1)
      .filter(() => random.next() < 0.5)
      .flatMap((ago) => messagesOf(random, ship, today - ago * day + random.int(8 * 3600, 20 * 3600), recordDays - ago + 1)),
  );
  await storeMessages(pool, now, 'demo', messages);
};
