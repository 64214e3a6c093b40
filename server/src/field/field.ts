import { randomBytes } from 'node:crypto';
import { enrol, shapeOf } from '@farlink/gateway/protocol/message.ts';
import { type Parsed, parseJson, type Shape } from '@farlink/gateway/protocol/shape.ts';
import type { Deps } from '../kit/deps.ts';
import { type Admission, authenticator, type Proof } from './enrolment/authenticate.ts';
import { type Enrolled, enrolDevice } from './enrolment/binding.ts';
import { enrolLimitsOf } from './enrolment/enrol-limits.ts';
import { batching } from './ingest/batching.ts';
import { accepted, type IngestResult, openIngest } from './ingest/ingest.ts';
import type { Outgoing } from './pending/outgoing.ts';
import { helloRepliesFor, pendingFor } from './pending/pending.ts';
import type { Delivered } from './store/tx.ts';

/** Delivers messages to gateways: the MQTT endpoint of this process, or a broker. */
export interface Transport {
  /** Messages may be pending for these gateways. Read `pending` for those that are connected. */
  deliver(sns: Iterable<string>): void;
  /** These gateways have just sent hello. Reply with `helloReply`. */
  ackHello(sns: Iterable<string>): void;
  /** Messages were stored. Connections paused by `full` may resume until it is full again. */
  drained(): void;
  /**
   * The registration of this process is gone. Returns true after a new one. False if another process has taken the gateways over: then all
   * connections are ended, because what they sent is neither stored nor acknowledged.
   */
  fenced?(): Promise<boolean>;
}

export interface Counts {
  accepted: number;
  refused: Record<'foreign' | 'topic' | 'body' | 'storage', number>;
}

/** Gateway functions of the console, independent of the transport. */
export interface Field {
  /** Node name of this process among those that hold connections. */
  readonly node: string;
  readonly counts: Counts;
  admit(sn: string, proof: Proof): Promise<Admission>;
  /** Throws `EnrolLimited` if a limit is exceeded. */
  enrol(sn: string, code: string, body: string, address: string): Promise<Enrolled | { readonly reason: string }>;
  /** Completes when the message is stored or permanently refused. Messages of one connection complete in call order. */
  receive(sn: string, tail: string, body: string, conn: string, complete: (result: IngestResult) => void): void;
  /** Refuses a message on a foreign topic, in order and without parsing it. */
  refuse(complete: (result: IngestResult) => void): void;
  delivered(sn: string, conn: string, sent: Delivered): void;
  pending(sn: string): Promise<readonly Outgoing[]>;
  helloReply(sn: string): Promise<string | undefined>;
  full(): boolean;
  /** Number of messages that are not stored yet. */
  waiting(): number;
  /** Sets the number of the registration, which each commit checks. */
  register(epoch: number): void;
  /** Drops the queued messages, because another process has taken over. */
  dropAll(): void;
  close(): Promise<void>;
}

export interface FieldListener {
  readonly field: Field;
  readonly faults: Readonly<Record<string, number>>;
  /** Number of connected gateways. */
  connections(): number;
  /** Number of gateways that wait for their turn to connect. A broker has none. */
  waiting?(): number;
  close(): Promise<void>;
}

/** A parser error refuses only this message. Untrusted input must not crash the process. */
const readSafely = <T>(shape: Shape<T>, body: string): Parsed<T> => {
  try {
    return parseJson(shape, body);
  } catch {
    return { reason: 'body: cannot be read' };
  }
};

export const openField = (
  deps: Pick<Deps, 'db' | 'pool' | 'config' | 'log' | 'clock'>,
  transport: Transport,
  node = randomBytes(6).toString('hex'),
): Field => {
  const now = () => deps.clock.now();
  const limits = enrolLimitsOf(deps.pool);
  const counts: Counts = { accepted: 0, refused: { foreign: 0, topic: 0, body: 0, storage: 0 } };
  let registered: number | undefined;
  const ingest = openIngest(deps, {
    node,
    epoch: () => registered,
    stored: ({ deliverTo, ackHelloTo }) => {
      transport.ackHello(ackHelloTo);
      transport.deliver(deliverTo);
    },
    drained: () => transport.drained(),
    fenced: async () => (await transport.fenced?.()) ?? false,
  });
  const pending = batching<string, Outgoing[]>((sns) => pendingFor(deps.pool, deps.config, now(), sns));
  const helloReply = batching<string, string>((sns) => helloRepliesFor(deps.pool, now(), sns));

  const countResult = (complete: (result: IngestResult) => void) => (result: IngestResult) => {
    if (result.ok) counts.accepted++;
    else counts.refused[result.why]++;
    complete(result);
  };
  const refusing = (why: 'foreign' | 'topic' | 'body', reason: string, complete: (result: IngestResult) => void) =>
    ingest.add(undefined, { ok: false, why, reason }, countResult(complete));

  return {
    node,
    counts,
    admit: authenticator(deps, now),
    enrol: async (sn, code, body, address) => {
      const parsed = parseJson(enrol, body);
      if ('reason' in parsed) return parsed;
      return enrolDevice(deps.db, sn, code, parsed.value, now(), (tx, vno) => limits.mayAdd(tx, address, vno, now()));
    },
    receive: (sn, tail, body, conn, complete) => {
      const shape = shapeOf(tail);
      if (!shape) return refusing('topic', 'no such message', complete);
      const parsed = readSafely(shape, body);
      if ('reason' in parsed) {
        deps.log.info({ sn, tail, reason: parsed.reason }, 'gateway message refused');
        return refusing('body', parsed.reason, complete);
      }
      const message = parsed.value;
      if (message.kind === 'enrol') return refusing('topic', 'the gateway is bound already', complete);
      ingest.add({ sn, conn, content: message }, accepted, countResult(complete), body.length);
    },
    refuse: (complete) => refusing('foreign', 'not a topic of this gateway', complete),
    delivered: (sn, conn, sent) => ingest.add({ sn, conn, content: sent }, accepted, () => {}),
    pending: async (sn) => (await pending(sn)) ?? [],
    helloReply,
    full: ingest.full,
    waiting: ingest.waiting,
    register: (epoch) => {
      registered = epoch;
    },
    dropAll: ingest.dropAll,
    close: ingest.close,
  };
};
