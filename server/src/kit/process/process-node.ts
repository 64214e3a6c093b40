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
const retentionHours = 24;
/** Above this difference, times on pages and deadlines of gateways are visibly wrong. */
const clockWarnMs = 5000;

/** True for the rows of processes that run. */
export const isAlive = sql<boolean>`seen_at > now() - make_interval(secs => ${nodeLeaseS})`;

export interface NodeOptions {
  readonly id: string;
  /** Milliseconds that the clock of this machine is ahead of the database, measured with each heartbeat. */
  readonly measured?: (aheadMs: number) => void;
}

/** What other processes and the status page learn once the process serves requests. */
export interface NodeFacts {
  /** host:port of the HTTP server. */
  readonly address?: string | undefined;
  readonly remoteWebPort?: number | undefined;
  readonly gauges?: readonly GaugeSource[];
  /** More figures for the system status. */
  readonly figures?: () => Promise<object>;
}

export interface ProcessNode {
  readonly id: string;
  beat(): Promise<void>;
  publish(facts: NodeFacts): Promise<void>;
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

/** Registers this process in `process_node` and keeps its row alive. Called before any work that takes a lease. */
export const openNode = async (deps: Deps, { id, measured }: NodeOptions): Promise<ProcessNode> => {
  const { db, pool, log, config } = deps;
  const row = { id, name: config.processName, roles: [...config.roles], version: versionOf() };
  let facts: NodeFacts = {};
  let clockOffsetMs = 0;
  let hasWarned = false;
  let closed = false;
  const checkClock = (databaseMs: number, sentAt: number) => {
    clockOffsetMs = Math.round((sentAt + Date.now()) / 2 - databaseMs);
    measured?.(clockOffsetMs);
    const isFar = Math.abs(clockOffsetMs) > clockWarnMs;
    if (isFar && !hasWarned) log.warn({ clock_offset_ms: clockOffsetMs }, 'clock differs from the clock of the database');
    hasWarned = isFar;
  };
  /** An insert, not an update: a process that was paused for a day finds its row removed. */
  const write = async () => {
    const more = facts.figures && (await facts.figures());
    const sentAt = Date.now();
    const known = {
      address: facts.address ?? null,
      remote_web_port: facts.remoteWebPort ?? null,
      figures: JSON.stringify({ ...figuresOf(facts.gauges ?? [], pool, clockOffsetMs), ...more }),
    };
    const { at } = await db
      .insertInto('process_node')
      .values({ ...row, ...known })
      .onConflict((oc) => oc.column('id').doUpdateSet({ seen_at: sql`now()`, ...known }))
      .returning(sql<number>`extract(epoch from clock_timestamp()) * 1000`.as('at'))
      .executeTakeFirstOrThrow();
    checkClock(Number(at), sentAt);
  };
  let last: Promise<void> = Promise.resolve();
  /** One at a time, so that an older heartbeat does not overwrite newer facts. */
  const beat = (): Promise<void> => {
    last = last.then(write, write);
    return last;
  };
  const removeOld = async () => {
    await db.deleteFrom('process_node').where(sql<boolean>`seen_at < now() - make_interval(hours => ${retentionHours})`).execute();
  };
  await beat();
  await removeOld();
  const ticker = startTicker(async () => {
    if (!closed) await beat().catch((err) => log.warn({ err }, 'process heartbeat failed'));
  }, beatMs);
  await ticker.first;
  return {
    id,
    beat,
    publish: async (more) => {
      facts = more;
      await beat();
    },
    close: async () => {
      closed = true;
      await ticker.stop();
      await db.deleteFrom('process_node').where('id', '=', id).execute();
    },
  };
};
