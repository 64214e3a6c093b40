import type { limitsOf } from './limits.ts';

const number = (name: string, fallback: number) => Number(process.env[name] ?? fallback);

/** Descriptors that a process needs besides its gateways: database, health, libraries. */
const otherDescriptors = 200;

/** Settings of the bench from the environment; the defaults measure the full size in about twelve minutes. */
export const settingsOf = (limits: ReturnType<typeof limitsOf>) => {
  const gateways = number('BENCH_GATEWAYS', 50_000);
  const gatewaysPerProcess = limits.hard - otherDescriptors;
  return {
    gateways,
    /** Maximum number of gateways of one process. */
    gatewaysPerProcess,
    /** One more than needed, so that the others can take the gateways of a process that is killed. */
    processes: number('BENCH_PROCESSES', Math.max(2, Math.ceil(gateways / gatewaysPerProcess) + 1)),
    stepS: number('BENCH_STEP', 15),
    idleS: number('BENCH_IDLE', 20),
    firstRate: number('BENCH_RATE', 250),
    maxRate: number('BENCH_MOST_RATE', 64_000),
    /** Measures only this number of storms of the field processes. 0 measures all phases, with the brokers. */
    storms: number('BENCH_STORMS', 0),
    /** No phase starts later than this. */
    minutes: number('BENCH_MINUTES', 12),
    /** Longest p99 of the sweep. */
    limitMs: 1000,
    /** Mosquitto with persistence, which saves at intervals. */
    isPersistent: process.env.BENCH_PERSISTENCE === 'on',
  };
};

export type Settings = ReturnType<typeof settingsOf>;
