import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Client } from '@farlink/simulator/client.ts';
import type { Pool } from 'pg';
import { table } from '../measure.ts';
import { one, type Pick, stopwatch } from '../processor.ts';
import { openBareBroker } from './broker.ts';
import { comeAll, snOf, statusOf } from './fleet.ts';

/** Each client has one message in flight, so no two messages of a batch belong to the same gateway and merge into one row. */
const speakers = 6000;
const [rounds, turnMs, batchRows] = [4, 2000, 2000];

interface Turn {
  readonly count: number;
  readonly ms: number;
}

let n = 0;

/** Sends until the turn is over, and counts the acknowledged messages. */
const speak = async (clients: readonly Client[]): Promise<Turn> => {
  const start = performance.now();
  let count = 0;
  const worker = async (client: Client, i: number) => {
    while (performance.now() < start + turnMs) {
      await client.publish(upTopic(snOf(i), 's'), JSON.stringify(statusOf(i, ++n)), { alias: true });
      count++;
    }
  };
  await Promise.all(clients.map(worker));
  return { count, ms: performance.now() - start };
};

const bareSql = `insert into bare_status (device_id, boot, n, at, seen_at, links, lat, lon, sog, cog, fix, cpu, memory, online_users)
  select u.device, u.b, u.n, u.t, u.t, u.links, u.lat, u.lon, u.sog, u.cog, u.fix, u.cpu, u.memory, u.online_users
  from json_to_recordset($1::json) as u(device bigint, b text, n bigint, t bigint, links jsonb, lat float8, lon float8, sog real, cog real, fix smallint,
    cpu smallint, memory smallint, online_users integer)
  on conflict (device_id) do update set n = excluded.n, at = excluded.at, seen_at = excluded.seen_at, links = bare_status.links || excluded.links,
    lat = excluded.lat, lon = excluded.lon, sog = excluded.sog, cog = excluded.cog, fix = excluded.fix, cpu = excluded.cpu, memory = excluded.memory,
    online_users = excluded.online_users`;

/** Writes the same rows with the plain driver, in batches of the same size as the server, with one commit each. */
const insertBare = async (pool: Pool): Promise<Turn> => {
  const start = performance.now();
  let count = 0;
  while (performance.now() < start + turnMs) {
    n++;
    const batch = Array.from({ length: batchRows }, (_, k) => {
      const i = (n * batchRows + k) % speakers;
      const { b, t, l, p, cpu, mem, on } = statusOf(i, n);
      const [lat, lon, sog, cog, fix] = p;
      return { device: i + 1, b, n, t, links: { '6d': l[0] }, lat, lon, sog, cog, fix, cpu, memory: mem, online_users: on };
    });
    await pool.query({ name: 'bare', text: bareSql, values: [JSON.stringify(batch)] });
    count += batch.length;
  }
  return { count, ms: performance.now() - start };
};

export interface Watched {
  readonly server: Pick;
  readonly database: Pick;
}

interface Side {
  readonly turn: () => Promise<Turn>;
  readonly process: Pick;
}

const takeTurns = async (sides: readonly Side[], database: Pick) => {
  const sums = sides.map(() => ({ count: 0, ms: 0, own: 0, database: 0 }));
  for (const { turn } of sides) await turn();
  for (let round = 0; round < rounds; round++)
    for (const [i, { turn, process }] of sides.entries()) {
      const [own, db] = [stopwatch(process), stopwatch(database)];
      const { count, ms } = await turn();
      const sum = sums[i];
      if (sum) Object.assign(sum, { count: sum.count + count, ms: sum.ms + ms, own: sum.own + own(), database: sum.database + db() });
    }
  return sums.map(({ count, ms, own, database: db }) => ({
    perSecond: (count * 1000) / ms,
    own: (own * 1000) / count,
    database: (db * 1000) / count,
  }));
};

const micros = (µs: number) => `${µs.toFixed(0)} µs`;
const times = (a: number, b: number) => `${(a / b).toFixed(2)}x`;

/** Status messages into the database, in turns with a plain broker and with plain SQL. */
export const measureIngest = async (clients: readonly Client[], pool: Pool, folder: string, { server, database }: Watched) => {
  await pool.query('create table bare_status (like device_status including all) with (fillfactor = 70)');
  const broker = await openBareBroker(folder);
  const strangers = await comeAll(broker.port, speakers, { atOnce: 50, greeting: false });
  try {
    const [through, passed, bare] = await takeTurns(
      [
        { turn: () => speak(clients.slice(0, speakers)), process: server },
        { turn: () => speak(strangers), process: one(broker.pid) },
        { turn: () => insertBare(pool), process: () => [] },
      ],
      database,
    );
    if (!through || !passed || !bare) return;
    table(`status messages of ${speakers.toLocaleString('en')} gateways, ${rounds} turns of ${turnMs / 1000} s each`, [
      ['a second, on disk when acknowledged', through.perSecond.toFixed(0)],
      ['a second, through a bare broker to one listener', passed.perSecond.toFixed(0)],
      ['ratio to the broker', times(through.perSecond, passed.perSecond)],
      ['a second, the same rows by bare upserts', bare.perSecond.toFixed(0)],
      ['ratio to the upserts', times(through.perSecond, bare.perSecond)],
      // Processor time is independent of other load on the machine.
      ['processor time each: server', micros(through.own)],
      ['… its database', micros(through.database)],
      ['… the bare broker', micros(passed.own)],
      ['… the database with bare upserts', micros(bare.database)],
      ['server and database, ratio to broker and upserts', times(through.own + through.database, passed.own + bare.database)],
    ]);
  } finally {
    for (const client of strangers) client.destroy();
    await broker.close();
  }
};
