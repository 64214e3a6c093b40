import { setTimeout as pause } from 'node:timers/promises';
import type { ClientProcesses } from './client-processes.ts';
import { descriptorsOf, memory, memoryOf, socketMb } from './limits.ts';
import { errorsOf, lines, printLine, seconds, share, thousands } from './report.ts';
import type { Settings } from './settings.ts';
import { processesOf, type Target } from './target.ts';
import { watchProcessors } from './watch.ts';

const atOnce = 1000;
const pollMs = 500;
const stallMs = 30_000;
const calmMs = 3000;
/** Connecting ends while this much memory is free. */
const minFreeMb = 1000;

export interface Connected {
  readonly online: number;
  readonly perSecond: number;
  /** Memory of the servers for each gateway, KB. */
  readonly serverKb: number;
  readonly databaseKb: number;
  /** Share of one core while all gateways are idle. */
  readonly idleCore: number;
}

/**
 * Waits until all gateways are online, or until no more of them connect. Returns the reason if some are missing.
 * `reconnected`: number of gateways that must have connected since the last cut, because a client notices a cut later.
 */
export const waitOnline = async (
  clientProcesses: ClientProcesses,
  expected: number,
  { longestMs = Number.POSITIVE_INFINITY, reconnected = 0 }: { readonly longestMs?: number; readonly reconnected?: number } = {},
) => {
  const began = performance.now();
  let best = 0;
  let bestAt = began;
  for (;;) {
    const { online, ready } = await clientProcesses.state();
    const now = performance.now();
    if (online > best) [best, bestAt] = [online, now];
    if (online >= expected && ready >= reconnected) return { online, ms: now - began };
    if (memory().availableMb < minFreeMb) return { online, ms: now - began, why: `only ${thousands(minFreeMb)} MB of memory were left` };
    if (now - bestAt > stallMs) return { online, ms: bestAt - began, why: `no gateway was added for ${stallMs / 1000} s` };
    if (now - began > longestMs) return { online, ms: now - began, why: `${longestMs / 1000} s were over` };
    await pause(pollMs);
  }
};

const measureIdle = async (target: Target, clientProcesses: ClientProcesses, idleS: number) => {
  const spent = watchProcessors(target, clientProcesses);
  await pause(idleS * 1000);
  const { ms, server, database } = spent();
  return { server: server / ms, database: database / ms };
};

/** All gateways connect: rate, memory, and processor time while they are idle. */
export const measureConnect = async (
  target: Target,
  clientProcesses: ClientProcesses,
  { gateways, idleS, gatewaysPerProcess }: Settings,
): Promise<Connected> => {
  const server = processesOf(target.members);
  const before = { server: memoryOf(server), database: memoryOf(target.database), sockets: socketMb(), free: memory().availableMb };
  await clientProcesses.open();
  await clientProcesses.state(true);
  const spent = watchProcessors(target, clientProcesses);
  await clientProcesses.connect(target, atOnce);
  const { online, ms, why } = await waitOnline(clientProcesses, gateways);
  const used = spent();
  const { errors, lagP99 } = await clientProcesses.state(true);
  if (why) {
    await clientProcesses.dropOffline();
    const open = target.members.map((member) => descriptorsOf(member.pid()));
    printLine(`\nEnded at ${thousands(online)} of ${thousands(gateways)} gateways: ${why}.`);
    printLine(
      `Errors of the clients: ${errorsOf(errors)}. Open descriptors of the servers: ${open.join(', ')} (${thousands(gatewaysPerProcess)} are for gateways).`,
    );
  }
  await pause(calmMs);
  const after = { server: memoryOf(server), database: memoryOf(target.database), sockets: socketMb(), free: memory().availableMb };
  const idle = await measureIdle(target, clientProcesses, idleS);
  const each = (mb: number) => (mb * 1024) / Math.max(1, online);
  const connected: Connected = {
    online,
    perSecond: (online * 1000) / ms,
    serverKb: each(after.server - before.server),
    databaseKb: each(after.database - before.database),
    idleCore: idle.server,
  };
  lines(`${target.name}: ${thousands(online)} gateways connected`, [
    ['all online within', `${seconds(ms)}, ${thousands(connected.perSecond)} a second`],
    ['failed attempts', errorsOf(errors)],
    ['processor time of a connect, servers + database', `${(used.server / online).toFixed(2)} + ${(used.database / online).toFixed(2)} ms`],
    ['machine busy, event-loop delay of the clients p99', `${share(used.busy)}, ${lagP99.toFixed(0)} ms`],
    ['memory of the servers before and after', `${thousands(before.server)} / ${thousands(after.server)} MB`],
    ['memory of the servers for each gateway', `${connected.serverKb.toFixed(1)} KB`],
    ['memory of the database before and after', `${thousands(before.database)} / ${thousands(after.database)} MB`],
    ['buffers of all sockets in the kernel', `${after.sockets.toFixed(0)} MB`],
    [
      'memory used on the machine, clients included',
      `${thousands(before.free - after.free)} MB, ${each(before.free - after.free).toFixed(1)} KB a gateway`,
    ],
    [`idle for ${idleS} s, servers + database`, `${(100 * idle.server).toFixed(1)} + ${(100 * idle.database).toFixed(1)} % of one core`],
  ]);
  return connected;
};
