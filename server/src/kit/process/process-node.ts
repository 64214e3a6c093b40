import { networkInterfaces } from 'node:os';
import { sql } from 'kysely';
import type { Config } from '../../env/config.ts';
import { versionOf } from '../../env/version.ts';
import type { Deps } from '../deps.ts';
import type { GaugeSource } from '../http/metrics.ts';
import { startTicker } from '../ticker.ts';

/** A process without a heartbeat for this time counts as dead. Times are those of the database, so clocks of machines do not matter. */
export const nodeLeaseS = 30;
const beatMs = 5000;
/** Rows of dead processes stay for a day, for the status page. */
const keepHours = 24;
/** Above this difference, times on pages and deadlines of gateways are visibly wrong. */
const clockWarnMs = 5000;

/** True for the rows of processes that run. */
export const isAlive = sql<boolean>`seen_at > now() - make_interval(secs => ${nodeLeaseS})`;

export interface NodeOptions {
  readonly id: string;
  /** host:port of the HTTP server, for other processes. */
  readonly address?: string | undefined;
  readonly remoteWebPort?: number | undefined;
  readonly gauges?: readonly GaugeSource[];
  /** More figures for the system status. */
  readonly figures?: () => Promise<object>;
}

export interface ProcessNode {
  readonly id: string;
  beat(): Promise<void>;
  /** Removes the row, so that the others do not wait for the lease. */
  close(): Promise<void>;
}

const isAny = (host: string) => host === '0.0.0.0' || host === '::';

/** First IPv4 address of the machine. */
const machineAddress = () =>
  Object.values(networkInterfaces())
    .flatMap((all) => all ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1';

/** host:port at which the other processes reach this one. */
export const addressOf = ({ processAddress, host, port }: Pick<Config, 'processAddress' | 'host' | 'port'>): string => {
  const name = processAddress ?? (isAny(host) ? machineAddress() : host);
  return `${name.includes(':') ? `[${name}]` : name}:${port}`;
};

const figuresOf = (gauges: readonly GaugeSource[], pool: Deps['pool'], clockOffsetMs: number) => ({
  ...Object.fromEntries(gauges.map(({ name, read }) => [name, read()])),
  database_connections: { idle: pool.idleCount, busy: pool.totalCount - pool.idleCount, waiting: pool.waitingCount },
  rss_bytes: process.memoryUsage.rss(),
  clock_offset_ms: clockOffsetMs,
});

/** Registers this process in `process_node` and keeps its row alive. */
export const openNode = async (
  deps: Deps,
  { id, address, remoteWebPort, gauges = [], figures: more }: NodeOptions,
): Promise<ProcessNode> => {
  const { db, pool, log, config } = deps;
  const row = { id, name: config.processName, roles: [...config.roles], version: versionOf(), address: address ?? null };
  let clockOffsetMs = 0;
  let hasWarned = false;
  let closed = false;
  const checkClock = (databaseMs: number, sentAt: number) => {
    clockOffsetMs = Math.round((sentAt + Date.now()) / 2 - databaseMs);
    if (Math.abs(clockOffsetMs) > clockWarnMs && !hasWarned)
      log.warn({ clock_offset_ms: clockOffsetMs }, 'clock differs from the clock of the database');
    hasWarned = Math.abs(clockOffsetMs) > clockWarnMs;
  };
  /** An insert, not an update: a process that was paused for a day finds its row removed. */
  const beat = async () => {
    const figures = JSON.stringify({ ...figuresOf(gauges, pool, clockOffsetMs), ...(await more?.()) });
    const sentAt = Date.now();
    const { at } = await db
      .insertInto('process_node')
      .values({ ...row, remote_web_port: remoteWebPort ?? null, figures })
      .onConflict((oc) => oc.column('id').doUpdateSet({ seen_at: sql`now()`, figures }))
      .returning(sql<number>`extract(epoch from clock_timestamp()) * 1000`.as('at'))
      .executeTakeFirstOrThrow();
    checkClock(Number(at), sentAt);
  };
  const removeOld = async () => {
    await db.deleteFrom('process_node').where(sql<boolean>`seen_at < now() - make_interval(hours => ${keepHours})`).execute();
  };
  await beat();
  await removeOld();
  const ticker = startTicker(async () => {
    if (!closed) await beat().catch((err) => log.warn({ err }, 'process heartbeat failed'));
  }, beatMs);
  return {
    id,
    beat,
    close: async () => {
      closed = true;
      await ticker.stop();
      await db.deleteFrom('process_node').where('id', '=', id).execute();
    },
  };
};
