import { setTimeout as pause } from 'node:timers/promises';
import { stopwatch } from '../processor.ts';
import type { ClientProcesses } from './client-processes.ts';
import { busyness } from './limits.ts';
import { type Member, processesOf, type Target } from './target.ts';

const healthEveryMs = 500;
const healthTimeoutMs = 5000;

/** Processor time of the servers, their database and the clients, and of the whole machine. */
export const watchProcessors = (target: Target, clientProcesses: ClientProcesses) => {
  const began = performance.now();
  const [server, database, clients] = [processesOf(target.members), target.database, clientProcesses.processes].map(stopwatch);
  const busy = busyness();
  return () => {
    const ms = performance.now() - began;
    return { ms, server: server?.() ?? 0, database: database?.() ?? 0, clients: clients?.() ?? 0, busy: busy() };
  };
};

/** Largest event-loop delay of the members in ms since the last call, and the largest p99. Brokers have none. */
export const loopDelay = async (members: readonly Member[]): Promise<{ readonly max: number; readonly p99: number }> => {
  const delays = await Promise.all(
    members.map(async ({ health }) => {
      if (!health) return { max: 0, p99: 0 };
      const text = await fetch(`${health}/metrics`).then(
        (response) => response.text(),
        () => '',
      );
      const ms = (name: string) =>
        1000 * Number(text.match(new RegExp(`^nodejs_eventloop_lag_${name}_seconds ([\\d.e-]+)`, 'm'))?.[1] ?? 0);
      return { max: ms('max'), p99: ms('p99') };
    }),
  );
  return { max: Math.max(0, ...delays.map(({ max }) => max)), p99: Math.max(0, ...delays.map(({ p99 }) => p99)) };
};

/** Requests /healthz of the members until the result is called. */
export const watchHealth = (members: readonly Member[]) => {
  let requests = 0;
  let failed = 0;
  let slowest = 0;
  let isOver = false;
  const watch = async (health: string) => {
    while (!isOver) {
      const began = performance.now();
      const isUp = await fetch(`${health}/healthz`, { signal: AbortSignal.timeout(healthTimeoutMs) }).then(
        (response) => response.ok,
        () => false,
      );
      requests++;
      if (!isUp) failed++;
      slowest = Math.max(slowest, performance.now() - began);
      await pause(healthEveryMs);
    }
  };
  const watched = Promise.all(members.flatMap(({ health }) => (health ? [watch(health)] : [])));
  return async () => {
    isOver = true;
    await watched;
    return { requests, failed, slowest };
  };
};
