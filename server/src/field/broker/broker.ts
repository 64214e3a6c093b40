import { bye, hello } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTopic, snPattern } from '@farlink/gateway/protocol/topic.ts';
import type { IPublishPacket } from 'mqtt-packet';
import type { Deps } from '../../kit/deps.ts';
import { openListener } from '../../kit/listener.ts';
import { reasons } from '../endpoint/codec.ts';
import { type Carrier, type Door, openField } from '../field.ts';
import { outChannel, readNote } from '../notify.ts';
import { beat, sweepField, sweepRarely } from '../sweep.ts';
import { type BrokerAddress, BrokerClient } from './client.ts';
import { openGate } from './gate.ts';
import { openLead } from './lead.ts';
import { openPasswordFile } from './password-file.ts';
import { brokerNode, connOf, openRoster, type Present } from './roster.ts';

export interface BrokerOptions {
  readonly address: BrokerAddress;
  readonly passwordFile?: string;
  /** How often the housekeeping comes around. */
  readonly tickMs?: number;
}

export interface Broker extends Door {
  /** Whether this process is the one that listens now. */
  listens(): boolean;
}

const topicPattern = /^gw\/1\/([^/]+)\/up\/(.+)$/;
const nobodyListened = 0x10;
/** On the dearest link a gateway speaks every 20 minutes, and its broker says farewell for it after 30. */
const silentMs = 45 * 60_000;
const [lookAfterMs, rarelyMs] = [60_000, 600_000];
const lost = '{"r":"lost"}';

/**
 * Gateways speak with a broker that is not the console's, and the console is one more client of it. One process at a time listens, in
 * one session that the broker keeps: what a gateway says is heard in its order, and goes to the next process if this one is gone.
 * Nothing for gateways is left to the broker: it waits in the database until they say hello.
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
    if (code >= reasons.willToo && code !== nobodyListened && code !== reasons.unavailable) fault('refused');
    return code;
  };

  const carrier: Carrier = {
    wake: (sns) => {
      for (const sn of sns) void deliver(sn);
    },
    greet: (sns) => {
      for (const sn of sns) void greet(sn);
    },
    drained: () => client?.release(),
  };
  const field = openField(deps, carrier, brokerNode);
  const roster = openRoster(publish, field.delivered);
  const gate = openGate(
    pool,
    () => clock.now(),
    (err) => log.warn({ err }, 'it could not be looked up which gateways may speak'),
  );

  const deliver = async (sn: string) => {
    const present = roster.here.get(sn);
    if (!present || !client?.isOpen) return;
    try {
      const waiting = await field.pending(sn);
      if (roster.here.get(sn) === present) present.outbox.offer(waiting, performance.now());
    } catch {
      fault('pending');
    }
  };
  const greet = async (sn: string) => {
    const present = roster.here.get(sn);
    if (!present) return;
    const text = await field.greeting(sn).catch(() => undefined);
    if (text !== undefined) present.outbox.say('a', text);
  };

  const goes = (sn: string, { conn }: Present) => {
    roster.here.delete(sn);
    gate.forget(sn);
    field.receive(sn, 'bye', lost, conn, () => {});
  };
  const asked = new Set<string>();
  /** Somebody speaks whose hello was never heard, or may not be true any more. */
  const askHello = async (sn: string) => {
    if (asked.has(sn)) return;
    asked.add(sn);
    const code = await publish(downTopic(sn, 'hello'), '{}');
    const present = roster.here.get(sn);
    if (code === nobodyListened && present) goes(sn, present);
  };

  const comes = (sn: string, body: string) => {
    const said = parseJson(hello, body);
    if ('reason' in said) return;
    asked.delete(sn);
    const conn = connOf(said.value.c, body);
    if (roster.here.get(sn)?.conn !== conn) roster.enter(sn, conn);
  };
  /** The connection that a farewell speaks for: the one it names, else the one that is here. */
  const leaves = (sn: string, body: string): string => {
    const said = parseJson(bye, body);
    const named = 'value' in said && said.value.c !== undefined ? connOf(said.value.c, '') : undefined;
    const conn = roster.here.get(sn)?.conn;
    if (conn !== undefined && (named ?? conn) === conn) roster.here.delete(sn);
    return named ?? conn ?? '';
  };
  const take = (sn: string, tail: string, body: string, done: () => void) => {
    if (tail === 'bye') return field.receive(sn, tail, body, leaves(sn, body), done);
    if (tail === 'hello') comes(sn, body);
    const present = roster.here.get(sn);
    if (present) present.heardAt = performance.now();
    else void askHello(sn);
    field.receive(sn, tail, body, present?.conn ?? '', done);
  };
  const heard = ({ topic, payload, retain }: IPublishPacket, done: () => void) => {
    const [, sn = '', tail = ''] = topicPattern.exec(topic) ?? [];
    if (retain || !snPattern.test(sn)) return field.refuse(done);
    const body = String(payload);
    gate.pass(sn, tail === 'hello', (may) => (may ? take(sn, tail, body, done) : field.refuse(done)));
    if (field.full()) client?.hold();
  };

  const start = () =>
    new BrokerClient({
      address: options.address,
      clientId: 'farlink-console',
      filter: 'gw/1/+/up/#',
      heard,
      up: (resumed) => {
        log.info({ resumed }, 'the broker is there');
        asked.clear();
        if (resumed) return carrier.wake([...roster.here.keys()]);
        // It has forgotten us, so farewells and greetings may be lost.
        for (const sn of roster.here.keys()) void askHello(sn);
      },
      down: (reason) => {
        fault('connection');
        log.warn({ reason }, 'the broker is not there');
      },
    });

  const listener = openListener(pool, outChannel, (text) => {
    const note = readNote(text);
    if (!note) return;
    if ('wake' in note) return carrier.wake(note.wake);
    gate.forget(note.end);
    // A broker lets nobody go; who has a new key comes with it by itself.
    if (note.key !== undefined) return;
    const present = roster.here.get(note.end);
    if (present && present.conn !== note.but) goes(note.end, present);
  });
  const lead = openLead(pool);
  const { username, password } = options.address;
  const passwords =
    options.passwordFile !== undefined && username !== undefined && password !== undefined
      ? openPasswordFile(pool, options.passwordFile, { username, password })
      : undefined;

  const follow = async () => {
    await client?.close();
    client = undefined;
    roster.here.clear();
  };
  const lookAfter = () => {
    asked.clear();
    const at = performance.now();
    for (const [sn, present] of roster.here) {
      if (at - present.heardAt > silentMs) goes(sn, present);
      else if (present.outbox.restless) void deliver(sn);
    }
  };
  let lookedAfter = performance.now();
  let sweptRarely = Number.NEGATIVE_INFINITY;
  const tick = async () => {
    try {
      client?.check();
      if (!(await lead.hold())) return await follow();
      // Before anybody takes the gateways of this name for lost.
      if (await beat(pool, brokerNode, clock.now())) for (const sn of roster.here.keys()) void askHello(sn);
      if (await listener.ensure()) carrier.wake([...roster.here.keys()]);
      await passwords?.refresh().catch((err) => log.error({ err }, 'the password file of the broker cannot be kept'));
      if (!client) {
        await roster.restore(pool);
        if (!closing) client = start();
      }
      for (const [sn, present] of roster.here)
        if (present.missed) {
          present.missed = false;
          void deliver(sn);
        }
      const at = performance.now();
      if (at - lookedAfter > lookAfterMs) {
        lookedAfter = at;
        lookAfter();
      }
      await sweepField(pool, clock.now());
      if (at - sweptRarely < rarelyMs) return;
      await sweepRarely(pool, clock.now());
      sweptRarely = at;
    } catch (err) {
      log.warn({ err }, 'the housekeeping of the field failed');
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
    client?.hold();
    await field.close();
    await client?.close();
    listener.close();
    lead.release();
  };
  return { field, faults, connections: () => roster.here.size, listens: () => client?.isOpen ?? false, close };
};
