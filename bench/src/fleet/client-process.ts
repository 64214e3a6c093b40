// A client process of the bench. The bench controls it by messages.
import { on } from 'node:events';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { type ClientCalls, epochMs, type Reply, type Request } from './client-calls.ts';
import { Fleet } from './fleet.ts';
import { OpenLoop } from './open-loop.ts';

const pumpMs = 20;
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

let fleet: Fleet | undefined;
let loop: OpenLoop | undefined;
let events: number[] = [];

let pumpedAt = epochMs();
setInterval(() => {
  const now = epochMs();
  fleet?.pump();
  fleet?.ping((now - pumpedAt) / 1000);
  pumpedAt = now;
}, pumpMs);

const closeFleet = () => {
  if (!fleet) return;
  fleet.atOnce = 0;
  fleet.cut();
  fleet = undefined;
};

const ms = (ns: number) => (Number.isFinite(ns) ? ns / 1e6 : 0);

const calls: ClientCalls = {
  open: (range) => {
    closeFleet();
    events = [];
    fleet = new Fleet(range, (kind, i, n, dueAt) => {
      if (kind === 'event') events.push(i, n);
      loop?.acknowledged(dueAt, epochMs());
    });
  },
  connect: (options) => {
    if (fleet) Object.assign(fleet, options);
  },
  dropOffline: () => fleet?.dropOffline(),
  cut: async (at) => {
    await pause(Math.max(0, at - epochMs()));
    fleet?.cut();
  },
  state: (reset) => {
    const { online = 0, connecting = 0, errors = {}, readyAt = [] } = fleet ?? {};
    const state = {
      online,
      connecting,
      ready: readyAt.length,
      errors: { ...errors },
      lagP99: ms(delay.percentile(99)),
      lagMax: ms(delay.max),
    };
    if (reset) delay.reset();
    if (reset && fleet) fleet.errors = {};
    return state;
  },
  ready: () => {
    const times = Float64Array.from(fleet?.readyAt ?? []);
    if (fleet) fleet.readyAt = [];
    return times;
  },
  run: async ({ kind, perSecond, seconds, startAt, ackWaitMs }) => {
    const run = new OpenLoop(startAt, perSecond, seconds);
    loop = run;
    const endAt = startAt + seconds * 1000;
    const send = (dueAt: number) => fleet?.send(kind, dueAt) ?? false;
    // Messages that are unsent at the end stay unsent.
    for (; epochMs() < endAt; await pause(1)) run.tick(epochMs, send);
    run.tick(epochMs, send);
    while (!run.isDone && epochMs() < endAt + ackWaitMs) await pause(20);
    loop = undefined;
    return run.result;
  },
  acked: () => Uint32Array.from(fleet?.gateways ?? [], (gateway) => gateway.ackedN),
  ackedEvents: () => {
    const found = Uint32Array.from(events);
    events = [];
    return found;
  },
};

const handlers: Readonly<Record<string, (argument: never) => unknown>> = { ...calls };

const replyTo = async ({ id, name, argument }: Request) => {
  const reply: Reply = await Promise.resolve()
    .then(() => Reflect.apply(handlers[name] ?? (() => {}), calls, [argument]))
    .then(
      (result: unknown) => ({ id, result }),
      (error: unknown) => ({ id, error: String(error) }),
    );
  process.send?.(reply);
};

process.once('disconnect', () => process.exit());
const requests: AsyncIterable<Request[]> = on(process, 'message');
process.send?.({ id: 0 });
for await (const [request] of requests) if (request) void replyTo(request);
