import { Random } from '@farlink/contract/kit/random.ts';
import { networkOf } from '@farlink/contract/protocol/network.ts';
import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { keyColumns, newKey } from '../orders/device-key.ts';
import { ports, sites } from './positions.ts';

const day = 86_400;

interface Ship {
  readonly id: number;
  readonly sn: string;
  readonly agent_id: number;
  readonly code: string;
  readonly third_id: string | null;
  readonly create_at: number;
  /** Position in the fleet, from 1; the first ships of each fleet are simulated. */
  readonly n: number;
}

const shipsOf = async (db: Db) => {
  const { rows } = await sql<Ship>`
    select d.id, d.sn, d.agent_id, a.code, a.third_id, d.create_at, row_number() over (partition by d.agent_id order by d.id)::int as n
    from device d join agent a on a.id = d.agent_id order by d.id`.execute(db);
  return rows;
};

const typeOf = ({ third_id, n }: Ship) => (third_id !== 'T-highland' ? 'ship' : n === 2 ? 'vehicle' : n === 4 ? 'portable' : 'fixed');

/** Most devices are authorized; a few show the other states. */
const authOf = (random: Random, { n, id }: Ship, now: number) => {
  if (n === 3 && id % 3 === 0) return { auth_status: 'expired', auth_expire_at: now - random.int(5, 60) * day } as const;
  if (n === 3 && id % 3 === 1) return { auth_status: 'suspended', auth_expire_at: now + 90 * day } as const;
  if (n === 2 && id % 4 === 0) return { auth_status: 'test', auth_expire_at: now + random.int(3, 20) * day } as const;
  return { auth_status: 'formal', auth_expire_at: now + random.int(60, 700) * day } as const;
};

const links = ['6d', 'l_band', 'lte', 'low_orbit'] as const;

const seedPast = async (db: Db, random: Random, ship: Ship, now: number) => {
  const left = now - random.int(2, 400) * 3600;
  const link = random.pick(links);
  const { port } = random.pick(ports);
  const [lat, lon] = (ship.third_id === 'T-highland' && sites[(ship.n - 1) % sites.length]) || port;
  const boot = `demo${ship.id}`;
  const status = {
    links: JSON.stringify(Object.fromEntries(links.map((i) => [i, { i, s: i === link ? 1 : random.int(0, 2), r: random.int(40, 700) }]))),
    lan: Array.from({ length: 4 }, () => random.int(0, 1)),
    aps: JSON.stringify([['AP-bridge', 1, random.int(1, 9), '00:1A:2B:00:00:01']]),
  };
  await db
    .insertInto('device_status')
    .values({ device_id: ship.id, boot, n: 1, at: left, seen_at: left, ...status, lat, lon, sog: 0, cog: 0, fix: 1, cpu: 12, memory: 41 })
    .execute();
  const turns = Array.from({ length: 8 }, (_, i) => ({
    at: left - i * 20 * 3600 - random.int(0, 10) * 3600,
    kind: i % 2 === 0 ? 'offline' : 'online',
  }));
  await db
    .insertInto('device_event')
    .values(
      turns.map(({ at, kind }, i) => ({
        sn: ship.sn,
        id: `${boot}-${i}`,
        device_id: ship.id,
        agent_id: ship.agent_id,
        kind,
        at,
        reported_at: at,
        create_at: at,
        doc: JSON.stringify(kind === 'online' ? { fw: '03.01.09' } : { why: 'lost' }),
      })),
    )
    .execute();
  return {
    offline_at: left,
    online_at: turns[1]?.at ?? left,
    offline_reason: 'lost',
    boot,
    boot_at: left - 40 * 3600,
    current_link: link,
    network: networkOf(link),
  };
};

const portalNames = [
  { name: '船员上网 Crew', billing_type: 'charged' },
  { name: '免费体验 Welcome', billing_type: 'free' },
] as const;

const seedPortals = async (db: Db, ships: readonly Ship[], at: number) => {
  for (const [agent_id, fleet] of Map.groupBy(ships, (ship) => ship.agent_id)) {
    const made = await db
      .insertInto('portal')
      .values(portalNames.map((portal) => ({ agent_id, create_at: at, device_type: 'ship' as const, ...portal })))
      .returning('id')
      .execute();
    const notSimulated = fleet.filter((ship) => ship.n > 1).map((ship) => ship.id);
    if (made[0] && notSimulated.length > 0)
      await db.updateTable('device').set({ portal_id: made[0].id }).where('id', 'in', notSimulated).execute();
  }
};

const unclaimed = (sn: string, agent_id: number, now: number) => ({ agent_id, name: sn, sn, model: 'FG-200', create_at: now - day });

/** Gateways without a VNO: one without a merchant code, one with a wrong code. */
export const seedUnclaimed = (db: Db, { platformId, now }: { readonly platformId: number; readonly now: number }) =>
  db
    .insertInto('device')
    .values([
      { ...unclaimed('FL29000001', platformId, now), status: 1 },
      { ...unclaimed('FL29000002', platformId, now), status: 2, merchant_code: 'BLUESEA9' },
    ])
    .execute();

/** State of the fleets before the simulation starts. */
export const seedFleets = async (db: Db, { now, since }: { readonly now: number; readonly since: number }) => {
  const random = new Random(77);
  const ships = await shipsOf(db);
  for (const ship of ships) {
    const past = ship.n > 1 ? await seedPast(db, random, ship, now) : {};
    await db
      .updateTable('device')
      .set({
        // This key is discarded; a simulated ship gets another key.
        ...keyColumns(newKey()),
        key_used_at: ship.create_at,
        device_type: typeOf(ship),
        merchant_code: ship.code,
        model: random.pick(['FG-100', 'FG-200', 'FG-300M', 'FG-500']),
        version: random.pick(['03.00.02', '03.01.09', '03.02.01']),
        access_at: Math.min(ship.create_at + day, now),
        status: ship.n === 3 && ship.id % 3 === 2 ? 4 : 0,
        billing_mode: random.pick([1, 1, 1, 3] as const),
        ...authOf(random, ship, now),
        ...past,
      })
      .where('id', '=', ship.id)
      .execute();
  }
  await seedPortals(db, ships, since);
};
