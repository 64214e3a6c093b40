import { setTimeout as pause } from 'node:timers/promises';
import type { Holders } from './holders.ts';
import { descriptorsOf, memory, memoryOf, socketMb } from './limits.ts';
import { errorsOf, lines, say, seconds, share, thousands } from './report.ts';
import type { Settings } from './settings.ts';
import { picked, type Target } from './target.ts';
import { watchProcessors } from './watch.ts';

const atOnce = 1000;
const [pollMs, patienceMs, settleMs] = [500, 30_000, 3000];
/** Connecting ends before the machine has no memory left. */
const leastFreeMb = 1000;

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
 * Waits until all gateways are online, or until no more of them come. Returns the reason if some are missing. `cameBack`: number of gateways that must have
 * connected since the last cut, because a client learns of a cut later.
 */
export const waitOnline = async (
  holders: Holders,
  wanted: number,
  { longestMs = Number.POSITIVE_INFINITY, cameBack = 0 }: { readonly longestMs?: number; readonly cameBack?: number } = {},
) => {
  const began = performance.now();
  let [best, bestAt] = [0, began];
  for (;;) {
    const { online, ready } = await holders.state();
    const now = performance.now();
    if (online > best) [best, bestAt] = [online, now];
    if (online >= wanted && ready >= cameBack) return { online, ms: now - began };
    if (memory().availableMb < leastFreeMb)
      return { online, ms: now - began, why: `only ${thousands(leastFreeMb)} MB of memory were left` };
    if (now - bestAt > patienceMs) return { online, ms: bestAt - began, why: `no gateway was added for ${patienceMs / 1000} s` };
    if (now - began > longestMs) return { online, ms: now - began, why: `${longestMs / 1000} s were over` };
    await pause(pollMs);
  }
};

const measureIdle = async (target: Target, holders: Holders, idleS: number) => {
  const spent = watchProcessors(target, holders);
  await pause(idleS * 1000);
  const { ms, server, database } = spent();
  return { server: server / ms, database: database / ms };
};

/** All gateways connect: rate, memory, and processor time while they are idle. */
export const measureConnect = async (target: Target, holders: Holders, { gateways, idleS, room }: Settings): Promise<Connected> => {
  const server = picked(target.members);
  const before = { server: memoryOf(server), database: memoryOf(target.database), sockets: socketMb(), free: memory().availableMb };
  await holders.open();
  await holders.state(true);
  const spent = watchProcessors(target, holders);
  await holders.connect(target, atOnce);
  const { online, ms, why } = await waitOnline(holders, gateways);
  const used = spent();
  const { errors, lagP99 } = await holders.state(true);
  if (why) {
    await holders.dropOffline();
    const open = target.members.map((member) => descriptorsOf(member.pid()));
    say(`\nEnded at ${thousands(online)} of ${thousands(gateways)} gateways: ${why}.`);
    say(
      `Errors of the clients: ${errorsOf(errors)}. Open descriptors of the servers: ${open.join(', ')} (${thousands(room)} are for gateways).`,
    );
  }
  await pause(settleMs);
  const after = { server: memoryOf(server), database: memoryOf(target.database), sockets: socketMb(), free: memory().availableMb };
  const idle = await measureIdle(target, holders, idleS);
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
      'machine: memory less, clients included',
      `${thousands(before.free - after.free)} MB, ${each(before.free - after.free).toFixed(1)} KB a gateway`,
    ],
    [`idle for ${idleS} s, servers + database`, `${(100 * idle.server).toFixed(1)} + ${(100 * idle.database).toFixed(1)} % of one core`],
  ]);
  return connected;
};
