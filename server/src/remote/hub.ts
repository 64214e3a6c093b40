import { randomBytes } from 'node:crypto';
import { isTerminal, type RemoteEnd, remoteEndText, remoteService } from '@farlink/contract/device/remote.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { endRow, remoteChannel } from '../domain/remote/end-session.ts';
import type { Deps } from '../kit/deps.ts';
import { openListener } from '../kit/http/listener.ts';
import { writeLog } from '../kit/log/record.ts';
import { endReason } from './end-reason.ts';
import { type Ended, RemoteSession } from './session.ts';
import * as store from './store.ts';
import { keepRecording } from './terminal/keep-recording.ts';
import type { Tunnel } from './tunnel.ts';

/** Number of ended sessions kept, so that an open browser page can show the end reason. */
const remembered = 500;
const [tickMs, quietTicks] = [1000, 5];

/** Sessions whose tunnels this process holds. The rows are the desired state; the hub applies them and stores the results. */
export interface Hub {
  readonly node: string;
  /** Finds a session by the label or the port of its origin, also a recently ended one. */
  find(label: string): Promise<RemoteSession | undefined>;
  at(port: number): Promise<RemoteSession | undefined>;
  byId(id: number): Promise<RemoteSession | undefined>;
  /** Returns the session that a gateway may open a tunnel for, if its token is valid. */
  admit(sn: string, token: string): Promise<RemoteSession | undefined>;
  /** `accept` notifies the gateway. It is called after the state is stored and before the tunnel is used. */
  stands(session: RemoteSession, tunnel: Tunnel, accept: () => void): Promise<void>;
  /** Returns true if the ticket opens the session. A ticket is valid once. */
  redeem(session: RemoteSession, ticket: string, loginToken?: string): Promise<boolean>;
  end(session: RemoteSession, reason: RemoteEnd, message?: string | null): Promise<void>;
  refresh(): Promise<void>;
  ports(): ReadonlySet<number>;
  close(): Promise<void>;
}

const nameOf = (service: string): Text => remoteService.find(({ id }) => id === service)?.label ?? [service, service];

export const openHub = (deps: Deps, onChange: () => void = () => {}): Hub => {
  const node = randomBytes(6).toString('hex');
  const sessions = new Map<number, RemoteSession>();
  const past = new Map<number, RemoteSession>();
  const now = () => deps.clock.now();
  const writing = new Set<number>();
  let closing = false;

  const remember = (session: RemoteSession) => {
    const { id } = session.facts;
    sessions.delete(id);
    past.set(id, session);
    const [oldest] = past.keys();
    if (past.size > remembered && oldest !== undefined) past.delete(oldest);
    onChange();
  };

  /** Stores the counters and the recording of an ended session, regardless of what ended it. */
  const complete = async (session: RemoteSession) => {
    await session.wrapUp();
    await store.saveCounts(deps.db, session);
    if (isTerminal(session.facts.service)) await keepRecording(deps, session.facts.id);
  };

  const writeEnd = async (id: number, { reason, message }: Ended, session?: RemoteSession) => {
    await deps.db.transaction().execute(async (db) => {
      const row = await endRow(db, id, { now: now(), reason, message });
      if (!row) return;
      const [zh, en] = nameOf(row.service);
      const why = remoteEndText(reason);
      const who = {
        agent_id: row.operator_agent_id,
        uid: row.customer_id,
        username: row.operator,
        name: row.operator_name,
        acted_by: row.acted_by,
      };
      await writeLog(
        db,
        who,
        { ip: row.ip, userAgent: row.user_agent, now },
        {
          module: 'device',
          action: 'command',
          content: [
            `设备 ${row.device_name}（${row.sn}）的远程${zh}会话结束：${why[0]}`,
            `Remote ${en} session to device ${row.device_name} (${row.sn}) ended: ${why[1]}`,
          ],
          after: {
            service: row.service,
            end_reason: reason,
            message: message ?? undefined,
            duration: now() - row.create_at,
            up_bytes: session?.up ?? row.up_bytes,
            down_bytes: session?.down ?? row.down_bytes,
          },
          subject: row.device_id === null ? undefined : `device:${row.device_id}`,
        },
      );
    });
  };

  const finish = async (session: RemoteSession, ended: Ended) => {
    if (!session.finish(ended)) return;
    remember(session);
    writing.add(session.facts.id);
    try {
      await writeEnd(session.facts.id, ended, session);
    } finally {
      writing.delete(session.facts.id);
    }
    await complete(session);
  };

  /** Completes sessions of this process that were ended elsewhere. */
  const drop = async (gone: readonly RemoteSession[]) => {
    if (gone.length === 0) return;
    const ends = await store.endsOf(
      deps.db,
      gone.map((s) => s.facts.id),
    );
    for (const session of gone) {
      const found = ends.find((e) => e.id === session.facts.id);
      if (!session.finish({ reason: found?.end_reason ?? 'closed', message: found?.message ?? null })) continue;
      remember(session);
      await complete(session);
    }
  };

  const sweepLost = async (at: number) => {
    for (const { id, service } of await store.lostSessions(deps.db, at)) {
      await writeEnd(id, { reason: 'lost', message: null });
      if (isTerminal(service)) await keepRecording(deps, id);
    }
  };

  const compareSessions = async () => {
    const at = now();
    for (const session of sessions.values()) if (session.dirty) await store.saveCounts(deps.db, session);
    const known = [...sessions.values()];
    const rows = await store.runningOf(deps.db, node, at);
    const here = new Set(rows.map((r) => r.id));
    await drop(known.filter((s) => !here.has(s.facts.id)));
    const inUse: number[] = [];
    for (const row of rows) {
      const gone = past.get(row.id);
      // The end could not be stored at the time.
      if (gone?.ended && !writing.has(row.id)) await writeEnd(row.id, gone.ended, gone);
      if (gone) continue;
      const session: RemoteSession = sessions.get(row.id) ?? new RemoteSession(row, now, () => void end(session, 'bytes'));
      if (!sessions.has(row.id)) sessions.set(row.id, session);
      const ended = endReason(row, session.activeAt, at);
      if (ended) await finish(session, ended);
      else if (row.session_id !== null && at - session.activeAt < 60 && session.state === 'open') inUse.push(row.session_id);
    }
    if (inUse.length > 0) await store.touchLogins(deps.db, inUse, at);
    await store.beatSessions(deps.db, node, at);
    // Uses the time of the heartbeat above: a slow run must not treat its own sessions as lost.
    await sweepLost(at);
    onChange();
  };

  let looking: Promise<void> | undefined;
  let again: Promise<void> | undefined;
  /** One run at a time. A call during a run gets a run that starts after the call. */
  const refresh = (): Promise<void> => {
    if (!looking) {
      looking = compareSessions().finally(() => {
        looking = undefined;
      });
      return looking;
    }
    again ??= looking
      .catch(() => {})
      .then(() => {
        again = undefined;
        return refresh();
      });
    return again;
  };
  const refreshQuietly = () => refresh().catch((err) => deps.log.warn({ err }, 'remote session refresh failed'));

  const ending = new Set<Promise<void>>();
  const end = (session: RemoteSession, reason: RemoteEnd, message: string | null = null) => {
    const work = finish(session, { reason, message })
      .catch((err) => deps.log.warn({ err }, 'remote session end not stored'))
      .finally(() => ending.delete(work));
    ending.add(work);
    return work;
  };

  const listener = openListener(deps.pool, remoteChannel, () => void refreshQuietly());
  let ticks = 0;
  let ticking: Promise<unknown> | undefined;
  const tick = async () => {
    try {
      const fresh = await listener.ensure();
      const isQuiet = ++ticks % quietTicks !== 0;
      if (!fresh && isQuiet && [...sessions.values()].every((s) => s.state !== 'opening')) return;
      await refresh();
    } catch (err) {
      if (!closing) deps.log.warn({ err }, 'remote session refresh failed');
    }
  };
  const timer = setInterval(() => {
    ticking ??= tick().finally(() => {
      ticking = undefined;
    });
  }, tickMs);
  ticking = tick().finally(() => {
    ticking = undefined;
  });

  const all = () => [...sessions.values(), ...past.values()];
  const search = async (fits: (s: RemoteSession) => boolean) => {
    const found = all().find(fits);
    if (found) return found;
    await refresh();
    return all().find(fits);
  };

  return {
    node,
    find: (label) => search((s) => s.facts.label === label),
    at: async (port) => {
      const isHere = (s: RemoteSession) => s.facts.port === port;
      return (await search((s) => isHere(s) && !s.ended)) ?? [...past.values()].findLast(isHere);
    },
    byId: (id) => search((s) => s.facts.id === id),
    admit: async (sn, token) => {
      const id = await store.takeTunnelToken(deps.db, node, sn, token, now());
      return id === undefined ? undefined : search((s) => s.facts.id === id && !s.ended);
    },
    stands: async (session, tunnel, accept) => {
      if (session.ended || session.tunnel || !(await store.markOpen(deps.db, session.facts.id, now()))) return tunnel.end();
      accept();
      session.stand(tunnel);
      onChange();
    },
    redeem: async (session, ticket, loginToken) =>
      !session.ended && (await store.takeTicket(deps.db, session.facts.id, ticket, now(), loginToken)),
    end,
    refresh,
    ports: () => new Set([...sessions.values()].flatMap((s) => (s.facts.port === null ? [] : [s.facts.port]))),
    close: async () => {
      closing = true;
      clearInterval(timer);
      await ticking;
      await (again ?? looking)?.catch(() => {});
      for (const session of sessions.values()) void end(session, 'lost');
      await Promise.all(ending);
      listener.close();
    },
  };
};
