import { type LiveKind, type LiveRow, liveKinds } from '@farlink/contract/device/live.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from '../../../kit/deps.ts';
import { fail } from '../../../kit/fail.ts';
import { openListener } from '../../../kit/http/listener.ts';
import { seesDevice } from '../../../kit/list/scope.ts';
import { deviceChannel, readChange } from '../../../orders/notify.ts';
import type { LiveClient } from './client.ts';
import { type DeviceNow, readDevices } from './read-devices.ts';
import { Subscribers } from './subscribers.ts';

/** Changes are collected for 200 ms and sent at most once a second; sessions are checked every 2 s; heartbeat every 15 s. */
const [gatherMs, everyMs, tickMs, beatMs] = [200, 1000, 2000, 15_000];
const sessionIdleS = limits.inactivityMs / 1000;

type Changes = Map<number, Set<LiveKind>>;

/** All streams of a process share one LISTEN. A changed device is read once, and the scope is checked per client. */
export const openLiveHub = (deps: Deps) => {
  const subscribers = new Subscribers();
  let changes: Changes = new Map();
  let flushing: NodeJS.Timeout | undefined;
  let lastFlush = Number.NEGATIVE_INFINITY;
  let lastBeat = 0;
  let isBusy = false;
  let isClosed = false;

  /** Ends streams without a valid session: after a logout or a change of rights. */
  const endStrangers = async () => {
    const { rows } = await deps.pool.query<{ id: number }>({
      name: 'live_sessions',
      text: 'select id from session where id = any($1::bigint[]) and seen_at >= $2',
      values: [[...new Set(subscribers.all().map((c) => c.sessionId))], deps.clock.now() - sessionIdleS],
    });
    const stands = new Set(rows.map((r) => r.id));
    for (const client of subscribers.all()) if (!stands.has(client.sessionId)) client.end({ over: true });
  };

  const rowFor = (client: LiveClient, device: DeviceNow, what: readonly LiveKind[]): LiveRow => {
    client.sentIds.add(device.id);
    return { id: device.id, what, ...(client.seesColumns && { columns: device.columns }) };
  };

  const tellOf = (id: number, what: ReadonlySet<LiveKind>, device: DeviceNow | undefined) => {
    for (const client of subscribers.of(id)) {
      if (device && seesDevice(client.me, device)) client.update.rows.push(rowFor(client, device, [...what]));
      else if (client.sentIds.delete(id)) client.update.gone.push(id);
    }
    if (!device) return;
    for (const kind of what)
      for (const client of subscribers.ofKind(kind))
        if (!client.update.any.has(kind) && seesDevice(client.me, device)) client.update.any.add(kind);
  };

  const flush = async () => {
    flushing = undefined;
    lastFlush = performance.now();
    const changed = [...changes].filter(([id, what]) => subscribers.areFor(id, what));
    changes = new Map();
    if (changed.length === 0) return;
    isBusy = true;
    try {
      const devices = await readDevices(
        deps,
        changed.map(([id]) => id),
      );
      await endStrangers();
      for (const [id, what] of changed) tellOf(id, what, devices.get(id));
      for (const client of subscribers.all()) client.send();
    } catch (error) {
      // Clients get the change with the next update or after a reconnect.
      deps.log.warn({ err: error }, 'live update failed');
    } finally {
      isBusy = false;
      if (changes.size > 0) flushSoon();
    }
  };

  const flushSoon = () => {
    if (isBusy || isClosed) return;
    flushing ??= setTimeout(flush, Math.max(gatherMs, everyMs - (performance.now() - lastFlush))).unref();
  };

  const note = (ids: Iterable<number>, kinds: readonly LiveKind[]) => {
    for (const id of ids) changes.set(id, new Set([...(changes.get(id) ?? []), ...kinds]));
    flushSoon();
  };

  const listener = openListener(deps.pool, deviceChannel, (text) => {
    const change = subscribers.count > 0 ? readChange(text) : undefined;
    if (change) note(change.ids, [change.what]);
  });

  const tick = async () => {
    if (subscribers.count === 0) return;
    try {
      // Notifications during the outage are lost, so all watched devices count as changed.
      if (await listener.ensure()) note(subscribers.ids(), liveKinds);
      await endStrangers();
    } catch (error) {
      deps.log.warn({ err: error }, 'live stream check failed');
    }
    if (performance.now() - lastBeat < beatMs) return;
    lastBeat = performance.now();
    for (const client of subscribers.all()) client.beat();
  };
  const ticking = setInterval(tick, tickMs).unref();

  const refuseTooMany = ({ me }: LiveClient) => {
    const own = subscribers.all().filter((c) => c.me.uid === me.uid).length;
    if (isClosed || subscribers.count >= limits.liveStreams || own >= limits.liveStreamsPerLogin) throw fail('too_many');
  };

  return {
    /** The stream starts with the current state, so no change is missed between two streams. */
    open: async (client: LiveClient) => {
      refuseTooMany(client);
      subscribers.add(client);
      client.stream.once('close', () => {
        subscribers.remove(client);
        if (client.wasSlow) deps.log.info({ uid: client.me.uid }, 'live stream closed: slow reader');
      });
      try {
        await listener.ensure();
        const devices = await readDevices(deps, [...client.watching.ids]);
        for (const device of devices.values()) if (seesDevice(client.me, device)) client.update.rows.push(rowFor(client, device, []));
        // Sends the first bytes at once, so the client sees the stream even without data.
        client.beat();
        client.send();
      } catch (error) {
        client.stream.destroy();
        throw error;
      }
    },
    count: () => subscribers.count,
    close: () => {
      isClosed = true;
      clearInterval(ticking);
      clearTimeout(flushing);
      listener.close();
      for (const client of subscribers.all()) client.end();
    },
  };
};

export type LiveHub = ReturnType<typeof openLiveHub>;
