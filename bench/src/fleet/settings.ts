import type { limitsOf } from './limits.ts';

const number = (name: string, usual: number) => Number(process.env[name] ?? usual);

/** Descriptors that a process needs besides its gateways: database, health, libraries. */
const otherDescriptors = 200;

/** Settings of the bench from the environment; the defaults measure the full size in about twelve minutes. */
export const settingsOf = (limits: ReturnType<typeof limitsOf>) => {
  const gateways = number('BENCH_GATEWAYS', 50_000);
  const room = limits.hard - otherDescriptors;
  return {
    gateways,
    /** Most gateways of one process. */
    room,
    /** One more than needed, so that the others can take the gateways of a process that is killed. */
    processes: number('BENCH_PROCESSES', Math.max(2, Math.ceil(gateways / room) + 1)),
    stepS: number('BENCH_STEP', 15),
    idleS: number('BENCH_IDLE', 20),
    firstRate: number('BENCH_RATE', 250),
    mostRate: number('BENCH_MOST_RATE', 64_000),
    /** Only this many storms of the field processes are measured. 0: all phases, with the brokers. */
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
