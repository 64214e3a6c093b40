import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Client } from '@farlink/simulator/client.ts';
import type { Pool } from 'pg';
import { table } from '../measure.ts';
import { one, type ProcessSource, stopwatch } from '../processor.ts';
import { openPlainBroker } from './broker.ts';
import { connectAll, snOf, statusOf } from './fleet.ts';

/** Each client has one message in flight, so no two messages of a batch belong to the same gateway and merge into one row. */
const senderCount = 6000;
const rounds = 4;
const turnMs = 2000;
const batchRows = 2000;

interface Turn {
  readonly count: number;
  readonly ms: number;
}

let n = 0;

/** Sends until the turn is over, and counts the acknowledged messages. */
const sendStatuses = async (clients: readonly Client[]): Promise<Turn> => {
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

const baselineSql = `insert into baseline_status (device_id, boot, n, at, seen_at, links, lat, lon, sog, cog, fix, cpu, memory, online_users)
  select u.device, u.b, u.n, u.t, u.t, u.links, u.lat, u.lon, u.sog, u.cog, u.fix, u.cpu, u.memory, u.online_users
  from json_to_recordset($1::json) as u(device bigint, b text, n bigint, t bigint, links jsonb, lat float8, lon float8, sog real, cog real, fix smallint,
    cpu smallint, memory smallint, online_users integer)
  on conflict (device_id) do update set n = excluded.n, at = excluded.at, seen_at = excluded.seen_at, links = baseline_status.links || excluded.links,
    lat = excluded.lat, lon = excluded.lon, sog = excluded.sog, cog = excluded.cog, fix = excluded.fix, cpu = excluded.cpu, memory = excluded.memory,
    online_users = excluded.online_users`;

/** Writes the same rows with the plain driver, in batches of the same size as the server, with one commit each. */
const insertBaseline = async (pool: Pool): Promise<Turn> => {
  const start = performance.now();
  let count = 0;
  while (performance.now() < start + turnMs) {
    n++;
    const batch = Array.from({ length: batchRows }, (_, k) => {
      const i = (n * batchRows + k) % senderCount;
      const { b, t, l, p, cpu, mem, on } = statusOf(i, n);
      const [lat, lon, sog, cog, fix] = p;
      return { device: i + 1, b, n, t, links: { '6d': l[0] }, lat, lon, sog, cog, fix, cpu, memory: mem, online_users: on };
    });
    await pool.query({ name: 'baseline', text: baselineSql, values: [JSON.stringify(batch)] });
    count += batch.length;
  }
  return { count, ms: performance.now() - start };
};

interface Watched {
  readonly server: ProcessSource;
  readonly database: ProcessSource;
}

interface Side {
  readonly turn: () => Promise<Turn>;
  readonly process: ProcessSource;
}

const runInTurns = async (sides: readonly Side[], database: ProcessSource) => {
  const sums = sides.map(() => ({ count: 0, ms: 0, processMs: 0, database: 0 }));
  for (const { turn } of sides) await turn();
  for (let round = 0; round < rounds; round++)
    for (const [i, { turn, process }] of sides.entries()) {
      const processMs = stopwatch(process);
      const db = stopwatch(database);
      const { count, ms } = await turn();
      const sum = sums[i];
      if (sum)
        Object.assign(sum, {
          count: sum.count + count,
          ms: sum.ms + ms,
          processMs: sum.processMs + processMs(),
          database: sum.database + db(),
        });
    }
  return sums.map(({ count, ms, processMs, database: db }) => ({
    perSecond: (count * 1000) / ms,
    processMs: (processMs * 1000) / count,
    database: (db * 1000) / count,
  }));
};

const micros = (µs: number) => `${µs.toFixed(0)} µs`;
const times = (a: number, b: number) => `${(a / b).toFixed(2)}x`;

/** Status messages into the database, in turns with a plain broker and with plain SQL. */
export const measureIngest = async (clients: readonly Client[], pool: Pool, folder: string, { server, database }: Watched) => {
  await pool.query('create table baseline_status (like device_status including all) with (fillfactor = 70)');
  const broker = await openPlainBroker(folder);
  const brokerClients = await connectAll(broker.port, senderCount, { atOnce: 50, withHello: false });
  try {
    const [viaServer, viaBroker, baseline] = await runInTurns(
      [
        { turn: () => sendStatuses(clients.slice(0, senderCount)), process: server },
        { turn: () => sendStatuses(brokerClients), process: one(broker.pid) },
        { turn: () => insertBaseline(pool), process: () => [] },
      ],
      database,
    );
    if (!viaServer || !viaBroker || !baseline) return;
    table(`status messages of ${senderCount.toLocaleString('en')} gateways, ${rounds} turns of ${turnMs / 1000} s each`, [
      ['a second, on disk when acknowledged', viaServer.perSecond.toFixed(0)],
      ['a second, through a broker to one subscriber', viaBroker.perSecond.toFixed(0)],
      ['ratio to the broker', times(viaServer.perSecond, viaBroker.perSecond)],
      ['a second, the same rows by plain SQL', baseline.perSecond.toFixed(0)],
      ['ratio to plain SQL', times(viaServer.perSecond, baseline.perSecond)],
      // Processor time is independent of other load on the machine.
      ['processor time each: server', micros(viaServer.processMs)],
      ['… its database', micros(viaServer.database)],
      ['… the broker', micros(viaBroker.processMs)],
      ['… the database with plain SQL', micros(baseline.database)],
      [
        'server and database, ratio to broker and plain SQL',
        times(viaServer.processMs + viaServer.database, viaBroker.processMs + baseline.database),
      ],
    ]);
  } finally {
    for (const client of brokerClients) client.destroy();
    await broker.close();
  }
};
