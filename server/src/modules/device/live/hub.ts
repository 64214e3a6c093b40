import { type LiveKind, type LiveRow, liveKinds } from '@farlink/contract/device/live.ts';
import { limits } from '@farlink/contract/limits.ts';
import { changedAccountOf } from '../../../domain/announcement/notify-consoles.ts';
import type { Deps } from '../../../kit/deps.ts';
import { fail } from '../../../kit/fail.ts';
import { seesDevice } from '../../../kit/list/scope.ts';
import { openListener } from '../../../kit/listener.ts';
import { liveChannel, readChangeNotification } from '../../../orders/notify.ts';
import { openAnnouncementFeed } from './announcement-feed.ts';
import { ChangeQueue, type Changes } from './change-queue.ts';
import type { LiveClient } from './client.ts';
import { type DeviceNow, readDevices } from './read-devices.ts';
import { Subscribers } from './subscribers.ts';

/** Sessions are checked every 2 s; heartbeat every 15 s. */
const tickMs = 2000;
const beatMs = 15_000;
const sessionIdleS = limits.inactivityMs / 1000;

/** Ends streams without a valid session: after a logout or a change of rights. */
const endWithoutSession = async ({ pool, clock }: Deps, subscribers: Subscribers) => {
  const { rows } = await pool.query<{ id: number }>({
    name: 'live_sessions',
    text: 'select id from session where id = any($1::bigint[]) and seen_at >= $2',
    values: [[...new Set(subscribers.all().map((c) => c.sessionId))], clock.now() - sessionIdleS],
  });
  const valid = new Set(rows.map((r) => r.id));
  for (const client of subscribers.all()) if (!valid.has(client.sessionId)) client.end({ over: true });
};

const rowFor = (client: LiveClient, device: DeviceNow, what: readonly LiveKind[]): LiveRow => {
  client.sentIds.add(device.id);
  return { id: device.id, what, ...(client.seesColumns && { columns: device.columns }) };
};

/** Adds the change of a device to the next update of each client that sees it. */
const addChange = (subscribers: Subscribers, id: number, what: ReadonlySet<LiveKind>, device: DeviceNow | undefined) => {
  for (const client of subscribers.of(id)) {
    if (device && seesDevice(client.me, device)) client.update.rows.push(rowFor(client, device, [...what]));
    else if (client.sentIds.delete(id)) client.update.gone.push(id);
  }
  if (!device) return;
  for (const kind of what)
    for (const client of subscribers.ofKind(kind))
      if (!client.update.any.has(kind) && seesDevice(client.me, device)) client.update.any.add(kind);
};

/** Sends the current state first, so no change is missed between two streams. */
const sendState = async (deps: Deps, client: LiveClient) => {
  const devices = await readDevices(deps, [...client.watching.ids]);
  for (const device of devices.values()) if (seesDevice(client.me, device)) client.update.rows.push(rowFor(client, device, []));
  // Sends the first bytes at once, so the client sees the stream even without data.
  client.beat();
  client.send();
};

/** All streams of a process share one LISTEN. A changed device is read once, and the scope is checked per client. */
export const openLiveHub = (deps: Deps) => {
  const { log } = deps;
  const subscribers = new Subscribers();
  let lastBeat = 0;
  let isClosed = false;

  const send = async (changes: Changes<LiveKind>) => {
    const changed = [...changes].filter(([id, what]) => subscribers.areFor(id, what));
    if (changed.length === 0) return;
    const ids = changed.map(([id]) => id);
    const devices = await readDevices(deps, ids);
    await endWithoutSession(deps, subscribers);
    for (const [id, what] of changed) addChange(subscribers, id, what, devices.get(id));
    for (const client of subscribers.all()) client.send();
  };
  // Clients get a failed change with the next update or after a reconnect.
  const queue = new ChangeQueue(send, (err) => log.warn({ err }, 'live update failed'));

  const notices = openAnnouncementFeed(deps, subscribers);

  const listener = openListener(deps.pool, liveChannel, (text) => {
    if (subscribers.count === 0) return;
    const change = readChangeNotification(text);
    if (change) return queue.add(change.ids, [change.what]);
    const whose = changedAccountOf(text);
    if (whose !== undefined) notices.change(whose);
  });

  const tick = async () => {
    if (subscribers.count === 0) return;
    try {
      // Notifications during the outage are lost, so all watched devices and announcements count as changed.
      if (await listener.ensure()) {
        queue.add(subscribers.ids(), liveKinds);
        notices.change('all');
      }
      await endWithoutSession(deps, subscribers);
    } catch (error) {
      log.warn({ err: error }, 'live stream check failed');
    }
    if (performance.now() - lastBeat < beatMs) return;
    lastBeat = performance.now();
    for (const client of subscribers.all()) client.beat();
  };
  const timer = setInterval(tick, tickMs).unref();

  const refuseTooMany = ({ me }: LiveClient) => {
    const own = subscribers.all().filter((c) => c.me.uid === me.uid).length;
    if (isClosed || subscribers.count >= limits.liveStreams || own >= limits.liveStreamsPerLogin) throw fail('too_many');
  };

  return {
    open: async (client: LiveClient) => {
      refuseTooMany(client);
      subscribers.add(client);
      client.stream.once('close', () => {
        subscribers.remove(client);
        if (client.wasSlow) log.info({ uid: client.me.uid }, 'live stream closed: slow reader');
      });
      try {
        await listener.ensure();
        await notices.start(client);
        await sendState(deps, client);
      } catch (error) {
        client.stream.destroy();
        throw error;
      }
    },
    count: () => subscribers.count,
    close: () => {
      isClosed = true;
      clearInterval(timer);
      queue.close();
      notices.close();
      listener.close();
      for (const client of subscribers.all()) client.end();
    },
  };
};

export type LiveHub = ReturnType<typeof openLiveHub>;
