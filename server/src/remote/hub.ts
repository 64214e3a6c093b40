import { randomUUID } from 'node:crypto';
import type { RemoteEnd } from '@farlink/contract/device/remote.ts';
import { remoteChannel } from '../domain/remote/end-session.ts';
import type { Deps } from '../kit/deps.ts';
import { openListener } from '../kit/listener.ts';
import { startTicker } from '../kit/ticker.ts';
import { coalesce } from './coalesce.ts';
import { endReason } from './end-reason.ts';
import { KnownSessions } from './known-sessions.ts';
import { openOtherProcesses, type SessionKey, type SessionPeer } from './other-processes.ts';
import { RemoteSession } from './session.ts';
import { SessionEnds } from './session-ends.ts';
import * as store from './store.ts';
import { recoverRecordings } from './terminal/store-recording.ts';
import type { Tunnel } from './tunnel.ts';

const tickMs = 1000;
const quietTicks = 5;
const recoverMs = 60_000;
/** A session used within this time keeps the console login active. */
const inUseS = 60;

/** Sessions whose tunnels this process holds. The rows are the desired state; the hub applies them and stores the results. */
export interface Hub {
  readonly node: string;
  /** Finds a session by the port of its origin, also a recently ended one. */
  byPort(port: number): Promise<RemoteSession | undefined>;
  byId(id: number): Promise<RemoteSession | undefined>;
  /** Finds a session of this process, or the process that holds its tunnel. */
  locate(key: SessionKey): Promise<Located | undefined>;
  /** Returns the session that a gateway may open a tunnel for, if its token is valid. */
  admit(sn: string, token: string): Promise<RemoteSession | undefined>;
  /** `accept` notifies the gateway. It is called after the state is stored and before the tunnel is used. */
  tunnelOpened(session: RemoteSession, tunnel: Tunnel, accept: () => void): Promise<void>;
  /** Returns true if the ticket opens the session. A ticket is valid once. */
  redeem(session: RemoteSession, ticket: string, loginToken?: string): Promise<boolean>;
  end(session: RemoteSession, reason: RemoteEnd, message?: string | null): Promise<void>;
  refresh(): Promise<void>;
  ports(): ReadonlySet<number>;
  close(): Promise<void>;
}

export type Located = { readonly session: RemoteSession } | { readonly peer: SessionPeer };

interface Refresh {
  readonly deps: Deps;
  readonly node: string;
  readonly sessions: KnownSessions;
  readonly ends: SessionEnds;
}

/** Adds a row of this process to the known sessions, and ends the session if a condition for it is met. */
const refreshRow = async ({ deps, sessions, ends }: Refresh, row: store.RunningRow, now: number): Promise<RemoteSession | undefined> => {
  const ended = sessions.ended.get(row.id);
  if (ended) {
    await ends.storeAgain(ended);
    return undefined;
  }
  const clock = () => deps.clock.now();
  const session: RemoteSession = sessions.running.get(row.id) ?? new RemoteSession(row, clock, () => void ends.end(session, 'bytes'));
  sessions.running.set(row.id, session);
  const reason = endReason(row, session.activeAt, now);
  if (reason) await ends.finish(session, reason);
  return session;
};

/** Applies the rows to the sessions of this process, and stores their counters. */
const refreshSessions = async (refresh: Refresh) => {
  const { deps, node, sessions, ends } = refresh;
  const { db } = deps;
  // Without open sessions, of any process, nothing is to be read or ended.
  if (sessions.running.size === 0 && !(await store.isAnyOpen(db))) return;
  const now = deps.clock.now();
  for (const session of sessions.running.values()) if (session.dirty) await store.saveCounts(db, session);
  const before = [...sessions.running.values()];
  const rows = await store.runningOf(db, node, now);
  const running = new Set(rows.map((r) => r.id));
  await ends.finishEndedElsewhere(before.filter((s) => !running.has(s.facts.id)));
  const loginsInUse: number[] = [];
  for (const row of rows) {
    const session = await refreshRow(refresh, row, now);
    if (session?.state === 'open' && row.session_id !== null && now - session.activeAt < inUseS) loginsInUse.push(row.session_id);
  }
  if (loginsInUse.length > 0) await store.touchLogins(db, loginsInUse, now);
  await store.beatSessions(db, node, now);
  // Uses the time of the heartbeat above: a slow run must not treat its own sessions as lost.
  await ends.endLost(now);
};

export const openHub = (deps: Deps, onChange: () => void = () => {}): Hub => {
  const { db, log } = deps;
  const node = deps.processId ?? randomUUID();
  const sessions = new KnownSessions();
  const ends = new SessionEnds(deps, sessions, onChange);
  const now = () => deps.clock.now();
  let closing = false;

  const { run: refresh, idle } = coalesce(async () => {
    await refreshSessions({ deps, node, sessions, ends });
    onChange();
  });
  const refreshFailed = (err: unknown) => log.warn({ err }, 'remote session refresh failed');
  const listener = openListener(deps.pool, remoteChannel, () => void refresh().catch(refreshFailed));
  let ticks = 0;
  const tick = async () => {
    try {
      const isReconnected = await listener.ensure();
      const isQuiet = ++ticks % quietTicks !== 0;
      if (!isReconnected && isQuiet && [...sessions.running.values()].every((s) => s.state !== 'opening')) return;
      await refresh();
    } catch (err) {
      if (!closing) refreshFailed(err);
    }
  };
  const ticker = startTicker(tick, tickMs);
  const recovery = startTicker(
    () => recoverRecordings(deps).catch((err) => log.warn({ err }, 'terminal recordings not recovered')),
    recoverMs,
  );

  const find = async (fits: (s: RemoteSession) => boolean) => {
    const found = sessions.find(fits);
    if (found) return found;
    await refresh();
    return sessions.find(fits);
  };

  const otherProcess = openOtherProcesses(db, node);
  const locate = async (key: SessionKey): Promise<Located | undefined> => {
    const fits = ({ facts }: RemoteSession) => ('label' in key ? facts.label === key.label : facts.id === key.id);
    const here = sessions.find(fits);
    if (here) return { session: here };
    const peer = await otherProcess(key);
    if (peer) return { peer };
    const session = await find(fits);
    return session && { session };
  };

  return {
    node,
    locate,
    byPort: async (port) => {
      const isHere = (s: RemoteSession) => s.facts.port === port;
      return (await find((s) => isHere(s) && !s.ended)) ?? [...sessions.ended.values()].findLast(isHere);
    },
    byId: (id) => find((s) => s.facts.id === id),
    admit: async (sn, token) => {
      const id = await store.redeemTunnelToken(db, node, sn, token, now());
      return id === undefined ? undefined : find((s) => s.facts.id === id && !s.ended);
    },
    tunnelOpened: async (session, tunnel, accept) => {
      if (session.ended || session.tunnel || !(await store.markOpen(db, session.facts.id, now()))) return tunnel.end();
      accept();
      session.use(tunnel);
      onChange();
    },
    redeem: async (session, ticket, loginToken) =>
      !session.ended && (await store.redeemTicket(db, session.facts.id, ticket, now(), loginToken)),
    end: (session, reason, message) => ends.end(session, reason, message),
    refresh,
    ports: () => sessions.ports(),
    close: async () => {
      closing = true;
      await ticker.stop();
      await recovery.stop();
      await idle();
      for (const session of sessions.running.values()) void ends.end(session, 'lost');
      await ends.stored();
      listener.close();
    },
  };
};
