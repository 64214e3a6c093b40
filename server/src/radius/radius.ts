import { sql } from 'kysely';
import type { Deps } from '../kit/deps.ts';
import { openListener } from '../kit/listener.ts';
import { startTicker } from '../kit/ticker.ts';
import { type CoaSender, openCoaSender } from './coa-sender.ts';
import { openNasCounters } from './nas-counters.ts';
import { openPipeline, type Pipeline } from './pipeline.ts';
import { openRadsec, type RadsecListener, type RadsecOptions } from './radsec.ts';
import { recheckAtLimit, recheckSessions } from './recheck.ts';
import { openRegistry } from './registry.ts';
import { isSessionSweepDue, prepareRadius, sweepGateways, sweepSessions } from './sweep.ts';
import { openUdp, type UdpListener } from './udp.ts';

export interface RadiusOptions {
  readonly host: string;
  /** Undefined: off; 0: any free port. */
  readonly authPort?: number | undefined;
  readonly acctPort?: number | undefined;
  readonly radsec?: RadsecOptions | undefined;
  readonly rejectDelayMs?: number;
  readonly tickMs?: number;
  readonly sweepMs?: number;
  /** A port that cannot be opened stays closed. */
  onClosed?(port: number, error: unknown): void;
}

export interface Radius {
  readonly authPort: number | undefined;
  readonly acctPort: number | undefined;
  readonly radsecPort: number | undefined;
  readonly pipeline: Pipeline;
  /** Packets without a known client, by cause. */
  readonly refused: Readonly<Record<string, number>>;
  connections(): number;
  /** Reads the list of NAS again. */
  reload(): Promise<void>;
  /** Runs the periodic work now. */
  tick(): Promise<void>;
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** Channel of changes of NAS and of gateways with AAA, and of tasks for them. */
const channel = 'farlink_radius';

/** All gateways and NAS are read this often, for changes without a notification. */
const allMs = 60_000;
/** Lost sessions and old reservations are minutes old, and other work notifies. */
const dueMs = 15_000;

type Opened = { readonly udp: readonly (UdpListener | undefined)[]; readonly radsec: RadsecListener | undefined };

const openPorts = async (
  deps: Deps,
  options: RadiusOptions,
  pipeline: Pipeline,
  registry: ReturnType<typeof openRegistry>,
): Promise<Opened> => {
  const tried = async <T>(port: number, open: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await open();
    } catch (error) {
      if (!options.onClosed) throw error;
      options.onClosed(port, error);
      return undefined;
    }
  };
  const udp = async (port: number | undefined, accepts: 'access' | 'accounting') =>
    port === undefined ? undefined : tried(port, () => openUdp(pipeline, { host: options.host, port, accepts }));
  const { radsec } = options;
  return {
    udp: [await udp(options.authPort, 'access'), await udp(options.acctPort, 'accounting')],
    radsec:
      radsec &&
      (await tried(radsec.port, () => openRadsec({ registry, pipeline, log: deps.log, unfinished: deps.config.unfinished }, radsec))),
  };
};

/** Runs each kind of work once at a time; a failure is logged and repeated later. */
const openMaintenance = (
  deps: Deps,
  work: { readonly tick: () => Promise<void>; readonly sweep: () => Promise<void> },
  options: RadiusOptions,
) => {
  const safely = (what: string, run: () => Promise<void>) => () => run().catch((err) => deps.log.warn({ err }, what));
  const tickers = [
    startTicker(safely('RADIUS maintenance failed', work.tick), options.tickMs ?? 1000),
    startTicker(safely('RADIUS sweep failed', work.sweep), options.sweepMs ?? 5000),
  ];
  return { first: Promise.all(tickers.map((t) => t.first)), stop: () => Promise.all(tickers.map((t) => t.stop())) };
};

/** An interval of work; slow work runs less often, and uses at most this share of the time. */
const openAdaptiveInterval = (leastMs: number, share: number) => {
  let tookMs = 0;
  let endedAt = performance.now();
  return {
    isDue: () => performance.now() - endedAt >= Math.max(leastMs, tookMs / share),
    timed: async (work: () => Promise<void>) => {
      const startedAt = performance.now();
      await work();
      endedAt = performance.now();
      tookMs = endedAt - startedAt;
    },
  };
};

/**
 * NAS of gateways, and their access. A gateway waits for its access, so a changed one is served at the next sweep; all are read only now
 * and then.
 */
const openGatewayWork = (deps: Deps) => {
  let isDue = false;
  let readAt = performance.now();
  return {
    changed: () => {
      isDue = true;
    },
    runIfDue: async () => {
      if (!isDue && performance.now() - readAt < allMs) return;
      isDue = false;
      try {
        const isMoreLeft = await sweepGateways(deps);
        readAt = performance.now();
        isDue ||= isMoreLeft;
      } catch (error) {
        isDue = true;
        throw error;
      }
    },
  };
};

interface Due {
  readonly recheck: boolean;
  readonly coa: boolean;
  /** Sessions whose limit is predicted, and those that have reached it. */
  readonly predicted: boolean;
  readonly limit: boolean;
  readonly sessions: boolean;
}

/** One statement reads whether work waits, because most of the time none does. */
const readDue = async ({ db, clock }: Deps): Promise<Due | undefined> => {
  const { rows } = await sql<Due>`
    select exists (select from radius_recheck) as recheck, exists (select from coa_task where state in ('waiting', 'sent')) as coa,
      exists (select from online_session where logout_at is null and limit_at is not null) as predicted,
      exists (select from online_session where logout_at is null and limit_at <= ${clock.now()}) as limit,
      ${isSessionSweepDue(clock.now())} as sessions`.execute(db);
  return rows[0];
};

/**
 * Rechecks of sessions, and tasks for NAS. Both notify, so the database is read after a notification, while some wait, and now and then.
 */
const openWaitingWork = (deps: Deps, coa: CoaSender) => {
  let mayBeDue = true;
  const run = async () => {
    mayBeDue = false;
    const due = await readDue(deps);
    if (due?.limit) await recheckAtLimit(deps);
    if (due?.recheck) await recheckSessions(deps);
    if (due?.recheck || due?.limit || due?.coa) await coa.send();
    mayBeDue ||= due?.recheck === true || due?.coa === true || due?.predicted === true;
    return due;
  };
  return {
    changed: () => {
      mayBeDue = true;
    },
    mayBeDue: () => mayBeDue,
    run: () =>
      run().catch((error: unknown) => {
        mayBeDue = true;
        throw error;
      }),
  };
};

/** The RADIUS server of this process: authentication, accounting and dynamic authorization. */
export const openRadius = async (deps: Deps, options: RadiusOptions): Promise<Radius> => {
  const registry = openRegistry(deps);
  const counters = openNasCounters(deps);
  const pipeline = openPipeline(deps, registry, counters, options.rejectDelayMs ?? 1000);
  await prepareRadius(deps);
  await sweepGateways(deps);
  await registry.load();
  const { udp, radsec } = await openPorts(deps, options, pipeline, registry);
  const coa: CoaSender = await openCoaSender(deps, registry, radsec);

  const registryInterval = openAdaptiveInterval(allMs, 1 / 100);
  const dueInterval = openAdaptiveInterval(dueMs, 1 / 100);
  const gateways = openGatewayWork(deps);
  const waiting = openWaitingWork(deps, coa);
  const reload = () =>
    registryInterval.timed(async () => {
      await registry.load();
      radsec?.recheck();
    });
  const onNotification = (text: string) => {
    if (text === 'coa' || text === 'recheck') waiting.changed();
    else gateways.changed();
    if (text === 'nas') void reload().catch((err) => deps.log.warn({ err }, 'NAS list not loaded'));
    if (text === 'new_nas') void registry.loadNew().catch((err) => deps.log.warn({ err }, 'NAS list not loaded'));
    if (text === 'coa') void coa.send();
    if (text === 'recheck') void recheckSessions(deps).catch((err) => deps.log.warn({ err }, 'RADIUS sessions not checked'));
  };
  const listener = openListener(deps.pool, channel, onNotification);
  const prepare = async () => {
    if (await listener.ensure()) {
      gateways.changed();
      waiting.changed();
      await reload();
    }
    await counters.flush();
  };
  const tick = async () => {
    await prepare();
    await waiting.run();
  };
  const tickIfDue = async () => {
    await prepare();
    if (waiting.mayBeDue() || !listener.isListening()) await waiting.run();
  };
  const sweep = async () => {
    pipeline.sweep();
    await sweepSessions(deps);
    await sweepGateways(deps);
    await reload();
  };
  const sweepDue = async () => {
    const due = await waiting.run();
    if (due?.sessions) await sweepSessions(deps);
  };
  const sweepIfDue = async () => {
    pipeline.sweep();
    if (dueInterval.isDue()) await dueInterval.timed(sweepDue);
    await gateways.runIfDue();
    // A gateway that changes to an expensive link reports less often. Reading 100,000 NAS takes seconds, so that can wait.
    if (registryInterval.isDue()) await reload();
  };
  const maintenance = openMaintenance(deps, { tick: tickIfDue, sweep: sweepIfDue }, options);
  await maintenance.first;
  return {
    authPort: udp[0]?.port,
    acctPort: udp[1]?.port,
    radsecPort: radsec?.port,
    pipeline,
    refused: counters.unknown,
    connections: () => radsec?.size() ?? 0,
    reload,
    tick,
    sweep,
    close: async () => {
      await maintenance.stop();
      listener.close();
      await pipeline.close();
      await coa.close();
      await Promise.all([...udp, radsec].map((port) => port?.close()));
      await counters.flush().catch((err) => deps.log.warn({ err }, 'NAS counters not stored'));
    },
  };
};
