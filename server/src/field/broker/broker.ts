import { bye, hello } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTopic, snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { IPublishPacket } from 'mqtt-packet';
import type { Deps } from '../../kit/deps.ts';
import { openListener } from '../../kit/http/listener.ts';
import { outChannel, readNote } from '../../orders/notify.ts';
import { reasons } from '../endpoint/codec.ts';
import { type FieldListener, openField, type Transport } from '../field.ts';
import { beat, sweepField, sweepRarely } from '../sweep.ts';
import { openAuthorizationCache } from './authorization-cache.ts';
import { type BrokerAddress, BrokerClient } from './client.ts';
import { openLeaderLock } from './leader-lock.ts';
import { brokerNode, connOf, openOnlineGateways, type Present } from './online-gateways.ts';
import { openPasswordFile } from './password-file.ts';

export interface BrokerOptions {
  readonly address: BrokerAddress;
  readonly passwordFile?: string;
  /** Interval of the periodic maintenance. */
  readonly tickMs?: number;
}

export interface Broker extends FieldListener {
  /** Returns true if this process is connected to the broker. */
  listens(): boolean;
}

const topicPattern = /^gw\/1\/([^/]+)\/up\/(.+)$/;
const noMatchingSubscribers = 0x10;
/** The most expensive link class sends every 20 minutes, and its broker publishes the will after 30. */
const silentMs = 45 * 60_000;
const [checkAfterMs, rarelyMs] = [60_000, 600_000];
const lost = '{"r":"lost"}';

/**
 * The console is a client of an external broker. One process at a time is connected, in a persistent session, so message order is kept and
 * the next leader resumes the session. No message for a gateway is queued at the broker: it waits in the database until the gateway sends
 * hello.
 */
export const openBroker = async (deps: Deps, options: BrokerOptions): Promise<Broker> => {
  const { pool, log, clock } = deps;
  const faults: Record<string, number> = {};
  let client: BrokerClient | undefined;
  let closing = false;
  const fault = (kind: string) => {
    faults[kind] = (faults[kind] ?? 0) + 1;
  };
  const publish = async (topic: string, body: string) => {
    const code = client ? await client.publish(topic, body) : reasons.unavailable;
    if (code >= reasons.willToo && code !== noMatchingSubscribers && code !== reasons.unavailable) fault('refused');
    return code;
  };

  const transport: Transport = {
    deliver: (sns) => {
      for (const sn of sns) void deliver(sn);
    },
    ackHello: (sns) => {
      for (const sn of sns) void ackHello(sn);
    },
    drained: () => client?.release(),
  };
  const field = openField(deps, transport, brokerNode);
  const onlineGateways = openOnlineGateways(publish, field.delivered);
  const authorizationCache = openAuthorizationCache(
    pool,
    () => clock.now(),
    (err) => log.warn({ err }, 'authorization lookup failed'),
  );

  const deliver = async (sn: string) => {
    const present = onlineGateways.here.get(sn);
    if (!present || !client?.isOpen) return;
    try {
      const waiting = await field.pending(sn);
      if (onlineGateways.here.get(sn) === present) present.outbox.offer(waiting, performance.now());
    } catch {
      fault('pending');
    }
  };
  const ackHello = async (sn: string) => {
    const present = onlineGateways.here.get(sn);
    if (!present) return;
    const text = await field.greeting(sn).catch(() => undefined);
    if (text !== undefined) present.outbox.say('a', text);
  };

  const goes = (sn: string, { conn }: Present) => {
    onlineGateways.here.delete(sn);
    authorizationCache.forget(sn);
    field.receive(sn, 'bye', lost, conn, () => {});
  };
  const asked = new Set<string>();
  /** Requests a hello from a gateway whose hello was never received or may be outdated. */
  const askHello = async (sn: string) => {
    if (asked.has(sn)) return;
    asked.add(sn);
    const code = await publish(downTopic(sn, 'hello'), '{}');
    const present = onlineGateways.here.get(sn);
    if (code === noMatchingSubscribers && present) goes(sn, present);
  };

  const comes = (sn: string, body: string) => {
    const output = parseJson(hello, body);
    if ('reason' in output) return;
    asked.delete(sn);
    const conn = connOf(output.value.c, body);
    if (onlineGateways.here.get(sn)?.conn !== conn) onlineGateways.enter(sn, conn);
  };
  /** Connection that a `bye` message ends: the one it names, else the current one. */
  const disconnected = (sn: string, body: string): string => {
    const output = parseJson(bye, body);
    const named = 'value' in output && output.value.c !== undefined ? connOf(output.value.c, '') : undefined;
    const conn = onlineGateways.here.get(sn)?.conn;
    if (conn !== undefined && (named ?? conn) === conn) onlineGateways.here.delete(sn);
    return named ?? conn ?? '';
  };
  const take = (sn: string, tail: string, body: string, done: () => void) => {
    if (tail === 'bye') return field.receive(sn, tail, body, disconnected(sn, body), done);
    if (tail === 'hello') comes(sn, body);
    const present = onlineGateways.here.get(sn);
    if (present) present.heardAt = performance.now();
    else void askHello(sn);
    field.receive(sn, tail, body, present?.conn ?? '', done);
  };
  const heard = ({ topic, payload, retain }: IPublishPacket, done: () => void) => {
    const [, sn = '', tail = ''] = topicPattern.exec(topic) ?? [];
    if (retain || !snPattern.test(sn)) return field.refuse(done);
    const body = String(payload);
    authorizationCache.pass(sn, tail === 'hello', (may) => (may ? take(sn, tail, body, done) : field.refuse(done)));
    if (field.full()) client?.pause();
  };

  const start = () =>
    new BrokerClient({
      address: options.address,
      clientId: 'farlink-console',
      filter: 'gw/1/+/up/#',
      heard,
      up: (resumed) => {
        log.info({ resumed }, 'broker connected');
        asked.clear();
        if (resumed) return transport.deliver([...onlineGateways.here.keys()]);
        // The broker has lost the session, so `bye` and `hello` messages may be missing.
        for (const sn of onlineGateways.here.keys()) void askHello(sn);
      },
      down: (reason) => {
        fault('connection');
        log.warn({ reason }, 'broker disconnected');
      },
    });

  const listener = openListener(pool, outChannel, (text) => {
    const note = readNote(text);
    if (!note) return;
    if ('wake' in note) return transport.deliver(note.wake);
    authorizationCache.forget(note.end);
    // The console cannot disconnect a client at the broker. A gateway with a new key reconnects by itself.
    if (note.key !== undefined) return;
    const present = onlineGateways.here.get(note.end);
    if (present && present.conn !== note.but) goes(note.end, present);
  });
  const leaderLock = openLeaderLock(pool);
  const { username, password } = options.address;
  const passwords =
    options.passwordFile !== undefined && username !== undefined && password !== undefined
      ? openPasswordFile(pool, options.passwordFile, { username, password })
      : undefined;

  const follow = async () => {
    await client?.close();
    client = undefined;
    onlineGateways.here.clear();
  };
  const checkLater = () => {
    asked.clear();
    const at = performance.now();
    for (const [sn, present] of onlineGateways.here) {
      if (at - present.heardAt > silentMs) goes(sn, present);
      else if (present.outbox.hasUnacked) void deliver(sn);
    }
  };
  let lookedAfter = performance.now();
  let sweptRarely = Number.NEGATIVE_INFINITY;
  const tick = async () => {
    try {
      client?.check();
      if (!(await leaderLock.hold())) return await follow();
      // The heartbeat comes first, so that no other process marks these gateways offline.
      if (await beat(pool, brokerNode, clock.now())) for (const sn of onlineGateways.here.keys()) void askHello(sn);
      if (await listener.ensure()) transport.deliver([...onlineGateways.here.keys()]);
      await passwords?.refresh().catch((err) => log.error({ err }, 'broker password file update failed'));
      if (!client) {
        await onlineGateways.restore(pool);
        if (!closing) client = start();
      }
      for (const [sn, present] of onlineGateways.here)
        if (present.missed) {
          present.missed = false;
          void deliver(sn);
        }
      const at = performance.now();
      if (at - lookedAfter > checkAfterMs) {
        lookedAfter = at;
        checkLater();
      }
      await sweepField(pool, clock.now());
      if (at - sweptRarely < rarelyMs) return;
      await sweepRarely(pool, clock.now());
      sweptRarely = at;
    } catch (err) {
      log.warn({ err }, 'gateway maintenance failed');
    }
  };

  await tick();
  let ticking: Promise<void> | undefined;
  const timer = setInterval(() => {
    ticking ??= tick().finally(() => {
      ticking = undefined;
    });
  }, options.tickMs ?? 5000);

  const close = async () => {
    closing = true;
    clearInterval(timer);
    await ticking;
    client?.pause();
    await field.close();
    await client?.close();
    listener.close();
    leaderLock.release();
  };
  return { field, faults, connections: () => onlineGateways.here.size, listens: () => client?.isOpen ?? false, close };
};
