import { scryptSync } from 'node:crypto';
import type { AccountEntry, DownAccounts, Phase } from '@farlink/gateway/protocol/account.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { Gateway } from './gateway.ts';
import { GatewayClock } from './gateway-clock.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { helloOf } from './hello.ts';
import type { Outgoing } from './outgoing.ts';
import { Receiver } from './receiver.ts';

/** Time at which the sample gateways start. */
export const now = 1_790_000_000;

/** A cheap verifier of a password: cost 2^4. */
export const verifierOf = (password: string): string => {
  const salt = Buffer.from(`salt of ${password}`.padEnd(16, '.'));
  return `4.${salt.toString('base64url')}.${scryptSync(password, salt, 32, { N: 16, r: 8, p: 1 }).toString('base64url')}`;
};

export const phaseOf = (h: number, more: Partial<Phase> = {}): Phase => ({ h, u: 0, d: 0, ...more });

/** An account with one unlimited package. Its password is `pw-` and its name. */
export const entryOf = (acc: string, more: Partial<AccountEntry> = {}): AccountEntry => ({
  acc,
  v: verifierOf(`pw-${acc}`),
  c: 0,
  al: 1,
  ph: [phaseOf(1)],
  z: [2, 0, 0],
  ...more,
});

export const page = (from: number, to: number, a: readonly AccountEntry[], more: Partial<DownAccounts> = {}): DownAccounts => ({
  from,
  to,
  a: [...a],
  x: [],
  ...more,
});

/** A gateway without a console, on land with one stable link. Its time passes by `wait`, and `deliver` replaces the console. */
export const openGateway = (options: Partial<GatewayOptions> = {}) => {
  let real = now;
  const defaults = { sn: 'ACC1', host: '127.0.0.1', port: 9, seed: 1, key: 'k', calm: true, at: { lat: 20, lon: 115 } };
  const gateway = new Gateway({ ...defaults, links: ['6d'], realMs: () => real * 1000, ...options });
  const messages: { tail: string; body: JsonObject }[] = [];
  const enqueue: Outgoing['enqueue'] = (topic, body) =>
    void messages.push({ tail: topic.split('/up/')[1] ?? '', body: JSON.parse(JSON.stringify(body)) });
  gateway.outgoing.enqueue = enqueue;
  gateway.step(real);
  const receiver = new Receiver(gateway, new GatewayClock(gateway.faults, () => real * 1000));
  const deliver = (topic: string, body: string) => receiver.onMessage(topic, body);
  const sent = (tail: string) => messages.filter((m) => m.tail === tail).map(({ body }) => body);
  return {
    gateway,
    deliver,
    sent,
    receive: (one: DownAccounts) => deliver(downTopic(gateway.sn, 'acc'), JSON.stringify(one)),
    hello: () => helloOf(gateway, options, 1),
    events: (kind: string) => sent('e').filter(({ k }) => k === kind),
    /** One step after these seconds. */
    wait: (seconds: number) => {
      real += seconds;
      gateway.step(real);
    },
    time: () => real,
  };
};
