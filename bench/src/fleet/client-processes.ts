import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { one } from '../processor.ts';
import { type Argument, type CallName, type ClientState, epochMs, type Load, type Reply, type Result } from './client-calls.ts';
import { killAtExit, raised } from './limits.ts';
import { summarize } from './open-loop.ts';
import type { Target } from './target.ts';

const file = fileURLToPath(new URL('./client-process.ts', import.meta.url));
const maxGateways = 12_500;
/** Delay from the request to the start of a load, so that all client processes start together. */
const startDelayMs = 300;

class ClientProcess {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  readonly started: Promise<void>;
  #lastId = 0;

  constructor() {
    const [command, args] = raised([process.execPath, file]);
    this.#child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], serialization: 'advanced' });
    killAtExit(this.#child);
    this.started = new Promise((resolve, reject) => {
      this.#waiting.set(0, { resolve, reject });
    });
    const replied = ({ id, result, error }: Reply) => {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (error === undefined) waiting && Reflect.apply(waiting.resolve, undefined, [result]);
      else waiting?.reject(new Error(error));
    };
    this.#child.on('message', (reply) => replied(Object(reply)));
    this.#child.on('exit', (code, signal) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`a client process ended (${signal ?? code})`));
    });
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  call<N extends CallName>(name: N, argument: Argument<N>): Promise<Result<N>> {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ id, name, argument });
    });
  }

  close() {
    this.#child.removeAllListeners('exit').kill('SIGKILL');
  }
}

const sumErrors = (states: readonly ClientState[]) => {
  const errors: Record<string, number> = {};
  for (const state of states) for (const [reason, n] of Object.entries(state.errors)) errors[reason] = (errors[reason] ?? 0) + n;
  return errors;
};

/** All client processes together. */
export const openClientProcesses = async (gateways: number, gatewaysPerProcess: number) => {
  const clientProcesses = Array.from(
    { length: Math.max(2, Math.ceil(gateways / Math.min(gatewaysPerProcess, maxGateways))) },
    () => new ClientProcess(),
  );
  await Promise.all(clientProcesses.map((client) => client.started));
  const call = <N extends CallName>(name: N, argument: Argument<N>): Promise<Result<N>[]> =>
    Promise.all(clientProcesses.map((client) => client.call(name, argument)));
  const share = Math.ceil(gateways / clientProcesses.length);
  return {
    count: clientProcesses.length,
    processes: () => clientProcesses.flatMap((client) => one(client.pid)()),
    /** Every source address has its own 28,000 ports. */
    open: async () => {
      for (const [k, client] of clientProcesses.entries()) {
        const addresses = [`127.0.0.${10 + 2 * k}`, `127.0.0.${11 + 2 * k}`];
        await client.call('open', { first: k * share, count: Math.max(0, Math.min(share, gateways - k * share)), addresses });
      }
    },
    connect: ({ members, domain = '' }: Target, atOnce: number) =>
      call('connect', { ports: members.map(({ port }) => port), atOnce: Math.ceil(atOnce / clientProcesses.length), domain }),
    dropOffline: () => call('dropOffline', undefined),
    cut: async () => {
      const at = epochMs() + startDelayMs;
      await call('cut', at);
      return at;
    },
    state: async (reset = false) => {
      const states = await call('state', reset);
      return {
        online: states.reduce((n, state) => n + state.online, 0),
        ready: states.reduce((n, state) => n + state.ready, 0),
        errors: sumErrors(states),
        lagP99: Math.max(...states.map((state) => state.lagP99)),
        lagMax: Math.max(...states.map((state) => state.lagMax)),
      };
    },
    ready: async () => (await call('ready', undefined)).flatMap((times) => [...times]).sort((a, b) => a - b),
    run: async (load: Omit<Load, 'startAt'>) => {
      const perSecond = load.perSecond / clientProcesses.length;
      return summarize(await call('run', { ...load, perSecond, startAt: epochMs() + startDelayMs }));
    },
    acked: async () => (await call('acked', undefined)).flatMap((numbers) => [...numbers]),
    ackedEvents: async () => (await call('ackedEvents', undefined)).flatMap((numbers) => [...numbers]),
    close: () => clientProcesses.forEach((client) => void client.close()),
  };
};

export type ClientProcesses = Awaited<ReturnType<typeof openClientProcesses>>;
