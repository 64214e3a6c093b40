import { hashOf } from '@farlink/gateway/protocol/shadow.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { Gateway } from '../../gateway.ts';
import type { GatewayOptions } from '../../gateway-options.ts';
import type { Outgoing } from '../../outgoing.ts';

export const start = 1_790_000_000;

interface SentMessage {
  readonly topic: string;
  readonly body: JsonObject;
  readonly heavy: boolean;
}

/** An unconnected gateway on a clock that the test controls; records all its messages. */
export const rig = (options: Partial<GatewayOptions> = {}) => {
  let real = start * 1000;
  const gateway = new Gateway({
    sn: 'RIG1',
    host: '127.0.0.1',
    port: 9,
    seed: 1,
    key: 'k',
    calm: true,
    configured: true,
    realMs: () => real,
    at: { lat: 20, lon: 115 },
    links: ['6d', 'low_orbit', 'l_band'],
    ...options,
  });
  const sent: SentMessage[] = [];
  const enqueue: Outgoing['enqueue'] = (topic, body, how = {}) =>
    void sent.push({ topic: topic.split('/up/')[1] ?? '', body: JSON.parse(JSON.stringify(body)), heavy: how.heavy === true });
  gateway.outgoing.enqueue = enqueue;
  gateway.outgoing.drop = (topic) => {
    const at = sent.findIndex((s) => topic.endsWith(`/up/${s.topic}`));
    if (at >= 0) sent.splice(at, 1);
  };
  gateway.step(start);
  return {
    gateway,
    sent,
    /** Section replies by section name. */
    replies: () => Object.fromEntries(sent.filter((s) => s.topic.startsWith('cfg/')).map((s) => [s.topic.slice(4), s.body])),
    events: (kind: string) => sent.filter((s) => s.topic === 'e' && s.body.k === kind).map((s) => s.body),
    topics: () => sent.map((s) => s.topic),
    later: (seconds: number) => {
      real += seconds * 1000;
      gateway.step(Math.floor(real / 1000));
    },
    /** Advances the clock without a step of the gateway. */
    pass: (seconds: number) => {
      real += seconds * 1000;
    },
    onMessage: (kind: string, body: unknown) => gateway.configuration.onMessage(kind, '', JSON.stringify(body)),
  };
};

export type Rig = ReturnType<typeof rig>;

let ids = 0;
export const newId = () => (++ids).toString(16).padStart(12, '0');

/** A bundle in the format of the console. */
export const bundleOf = (docs: Readonly<Record<string, JsonObject>>, { keep = 0, rev = 1, id = newId() } = {}) => ({
  id,
  keep,
  s: Object.fromEntries(Object.entries(docs).map(([section, doc]) => [section, { rev, h: hashOf(doc), doc }])),
});
