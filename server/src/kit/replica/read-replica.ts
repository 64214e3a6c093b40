import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect } from 'kysely';
import { makePool } from '../../db/connect.ts';
import type { Database } from '../../db/tables.ts';
import type { Db, Deps, ReadReplica } from '../deps.ts';
import type { GaugeSource } from '../http/metrics.ts';
import { startTicker } from '../ticker.ts';
import { positionOf, primaryPosition, removePositions, storePosition } from './positions.ts';
import { watchReplica } from './watch-replica.ts';

const checkMs = 2000;
const checksPerCleanup = 60;
/** An export waits this long for the replica to have what was committed before. */
const exportWaitMs = 3000;
/** Read-only, so that no write can reach the server even if it is not a standby. */
const connectionOptions = '-c default_transaction_read_only=on';

export interface OpenReplica extends ReadReplica {
  readonly gauges: readonly GaugeSource[];
  check(): Promise<void>;
  close(): Promise<void>;
}

type ReplicaDeps = Pick<Deps, 'db' | 'log' | 'clock'>;

const gaugesOf = (replica: Pick<ReadReplica, 'state'>): GaugeSource[] => [
  {
    name: 'farlink_replica_lag_seconds',
    help: 'Lag of the read replica; missing if it is not known',
    read: (): Record<string, number> => (replica.state.lag_s === null ? {} : { '': replica.state.lag_s }),
  },
  {
    name: 'farlink_replica_used',
    help: '1 if lists and exports are read from the replica',
    read: () => ({ '': replica.state.is_used ? 1 : 0 }),
  },
];

/** Opens the pool of DATABASE_READ_URL. A server that does not answer is not an error: reads then use the primary. */
export const openReplica = (deps: ReplicaDeps, url: string, max: number): OpenReplica => {
  const { db: primary, log, clock } = deps;
  const pool = makePool(url, { max, connectMs: 2000, options: connectionOptions });
  const db: Db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const watch = watchReplica(deps, db);

  /** False if the replica fails. */
  const hasReplayed = (lsn: number) =>
    watch.hasReplayed(lsn).catch((error: unknown) => {
      watch.failed(error);
      return false;
    });

  let checks = 0;
  const ticker = startTicker(async () => {
    await watch.check();
    if (checks++ % checksPerCleanup === 0)
      await removePositions(primary, clock.now()).catch((err) => log.warn({ err }, 'positions of writes not removed'));
  }, checkMs);

  return {
    dbFor: async (sessionId) => {
      if (!watch.state.is_used) return undefined;
      return (await hasReplayed(await positionOf(primary, sessionId))) ? db : undefined;
    },
    poolForExport: async () => {
      const until = performance.now() + exportWaitMs;
      const lsn = await primaryPosition(primary);
      while (watch.state.is_used && performance.now() < until) {
        if (await hasReplayed(lsn)) return pool;
        await pause(50);
      }
      return undefined;
    },
    noteWrite: (sessionId) =>
      storePosition(primary, sessionId, clock.now()).catch((err) => log.warn({ err }, 'position of a write not stored')),
    failed: watch.failed,
    get state() {
      return watch.state;
    },
    gauges: gaugesOf(watch),
    check: watch.check,
    close: async () => {
      await ticker.stop();
      await pool.end();
    },
  };
};
