import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Db, Deps } from '../kit/deps.ts';
import { open } from '../kit/session/secret.ts';
import { setDesired } from '../orders/desired.ts';
import { issueDemoKeys } from '../orders/device-key.ts';
import { sites } from './positions.ts';
import { orderDemoReports } from './reports.ts';
import { sendDemoPortals } from './send-portals.ts';
import { startProgram } from './simulator-program.ts';

/** Sea route of each fleet, by the third-party id of its VNO; the simulator defines the routes. */
const seaRoutes: Readonly<Record<string, string>> = {
  'T-bluesea': 'south_china_sea',
  'T-eastsea': 'taiwan_strait',
  'T-southlab': 'south_china_sea',
  'T-fleet2': 'norwegian_sea',
  'T-cruise': 'east_china_sea',
  'T-northfish': 'east_china_sea',
  'T-zhouyu': 'squid_grounds',
  'T-zhouyu1': 'squid_grounds',
  'T-silkroad': 'mediterranean',
  'T-indian': 'malacca',
  'T-gulf': 'arabian_sea',
};
/** Geofences of the demo ships. */
const areas = [
  {
    name: '南海 South China Sea',
    act: 'portal',
    polygon: [
      [23, 108],
      [23, 120],
      [4, 114],
      [4, 106],
    ],
  },
  {
    name: '东海 East China Sea',
    act: 'portal',
    polygon: [
      [33, 120],
      [33, 130],
      [25, 124],
      [25, 119],
    ],
  },
  {
    name: '马六甲 Malacca Strait',
    act: 'mute',
    polygon: [
      [6.5, 95],
      [6.5, 100.5],
      [0.8, 104.8],
      [0.5, 103],
    ],
  },
  { name: '霍尔木兹 Strait of Hormuz', act: 'mute', circle: { lat: 26.5, lon: 56.4, r: 60_000 } },
] as const;

const choose = async (db: Db, count: number) => {
  const { rows } = await sql<{ id: number; third_id: string | null; n: number }>`
    select d.id, a.third_id, row_number() over (partition by d.agent_id order by d.id)::int as n
    from device d join agent a on a.id = d.agent_id
    where d.sn ~ '^FL24[0-9]{6}$'
    order by n, d.id limit ${count}`.execute(db);
  return rows;
};

const maxPastS = 7 * 86_400;

/** Seconds since the last position of each device; the gateway reports this part of its track when it connects. */
const silences = async (db: Db, ids: readonly number[], now: number) => {
  const { rows } = await sql<{ id: number; at: number }>`
    select device_id as id, max(at) as at from device_track where device_id = any(${[...ids]}::bigint[]) and at > ${now - maxPastS} group by device_id`.execute(
    db,
  );
  const last = new Map(rows.map(({ id, at }) => [id, at]));
  return new Map(ids.map((id) => [id, Math.max(0, Math.min(now - (last.get(id) ?? 0), maxPastS))]));
};

/** Issues keys to the first ship of each fleet, then to the second, and writes the key file for the simulator. */
export const prepareFleet = async ({ db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>, count: number): Promise<string> => {
  const entries = await db.transaction().execute(async (tx) => {
    const chosen = await choose(tx, count);
    const ids = chosen.map((c) => c.id);
    const keys = await issueDemoKeys(tx, config.secretKey, ids);
    const devices = await tx
      .selectFrom('device')
      .select(['id', 'sn', 'name'])
      .where('id', 'in', [...ids, -1])
      .execute();
    const people = await tx
      .selectFrom('subscriber')
      .select(['device_id', 'account', 'password'])
      .where('device_id', 'in', [...ids, -1])
      .where('status', '=', 'normal')
      .orderBy('id')
      .execute();
    const past = await silences(tx, ids, clock.now());
    const watched = await tx.selectFrom('desired_section').select('device_id').where('section', '=', 'fence').execute();
    for (const id of ids)
      if (!watched.some((w) => w.device_id === id))
        await setDesired(tx, id, 'fence', { fences: JSON.parse(JSON.stringify(areas)) }, { now: clock.now() });
    await sendDemoPortals({ db: tx, config }, ids, clock.now());
    await orderDemoReports({ db: tx, config }, ids, clock.now());
    return chosen.flatMap(({ id, third_id, n }) => {
      const { sn, name } = devices.find((d) => d.id === id) ?? {};
      const key = keys.find((k) => k.sn === sn)?.key;
      const seaRoute = seaRoutes[third_id ?? ''];
      const position = seaRoute ? { lane: seaRoute, past: past.get(id) } : { at: sites[(n - 1) % sites.length] };
      const crew = people.filter((p) => p.device_id === id);
      const accounts = crew.map((p) => p.account);
      // The people on board know their passwords; the gateway gets only verifiers from the console.
      const passwords = Object.fromEntries(crew.map((p) => [p.account, open(config.secretKey, p.password)]));
      return sn && key ? [{ sn, key, name, accounts, passwords, ...position }] : [];
    });
  });
  const folder = join(config.dataDir, 'simulator');
  const file = join(folder, 'keys.json');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(entries), { mode: 0o600 });
  // An existing file would keep its old mode.
  chmodSync(file, 0o600);
  return file;
};

/** Starts the simulator in a child process that has only the gateway keys and ends with this process. */
export const startSimulation = async (deps: Deps, port: number, print: (line: string) => void) => {
  const { mqtt, simulate, dataDir } = deps.config;
  if (mqtt.tls) {
    print('No gateways are simulated: they speak without TLS.');
    return undefined;
  }
  const file = await prepareFleet(deps, simulate);
  const host = ['0.0.0.0', '::'].includes(mqtt.host) ? '127.0.0.1' : mqtt.host;
  const args = [
    '--keys',
    file,
    '--host',
    host,
    '--port',
    String(port),
    '--state',
    join(dataDir, 'simulator'),
    '--connects',
    '3',
    // Each gateway serves its portal on any free port, and its people use it.
    '--portal',
    '0',
    '--with-parent',
  ];
  const { child, stop } = startProgram('main.ts', args);
  child.on('error', (error) => deps.log.warn({ reason: error.message }, 'simulator start failed'));
  child.stdout.resume();
  return { stop };
};
