import { setTimeout as pause } from 'node:timers/promises';
import { epochMs } from './client-calls.ts';
import type { ClientProcesses } from './client-processes.ts';
import { waitOnline } from './connect-phase.ts';
import { errorsOf, latency, lines, seconds, share, thousands } from './report.ts';
import type { Member, Target } from './target.ts';
import { loopDelay, watchHealth, watchProcessors } from './watch.ts';

const onlineTimeoutMs = 120_000;
const backgroundRate = 200;
const backgroundS = 20;
const beforeKillMs = 3000;
const ackWaitMs = 5000;

export interface Storm {
  /** Time until 99 % of the gateways were online again, ms. */
  readonly p99: number;
  /** Time until all gateways were online again, ms. */
  readonly all: number;
}

/** Times from `at` until gateways were online again. */
const reconnectTimes = (ready: readonly number[], at: number, count: number): Storm => {
  const after = ready.filter((time) => time >= at).map((time) => time - at);
  const nth = (n: number) => after[Math.max(0, n - 1)] ?? Number.POSITIVE_INFINITY;
  return { p99: nth(Math.ceil(count * 0.99)), all: nth(count) };
};

type Health = Awaited<ReturnType<ReturnType<typeof watchHealth>>>;

const healthLine = ({ requests, failed, slowest }: Health) =>
  requests === 0 ? 'no health page' : `${failed} of ${requests} failed, slowest ${latency(slowest)} ms`;

const watchAll = async (target: Target, clientProcesses: ClientProcesses, members: readonly Member[]) => {
  await clientProcesses.state(true);
  await clientProcesses.ready();
  await loopDelay(members);
  const health = watchHealth(members);
  const spent = watchProcessors(target, clientProcesses);
  return async () => {
    const used = spent();
    const [healthy, lag, { errors, lagMax }] = [await health(), await loopDelay(members), await clientProcesses.state(true)];
    const rows: [string, string][] = [
      ['failed attempts', errorsOf(errors)],
      ['processor time, servers + database', `${(used.server / 1000).toFixed(1)} + ${(used.database / 1000).toFixed(1)} s`],
      ['machine busy', share(used.busy)],
      ['event-loop delay of the servers, p99 / longest', `${latency(lag.p99)} / ${latency(lag.max)} ms`],
      ['longest event-loop delay of the clients', `${latency(lagMax)} ms`],
      ['/healthz', healthLine(healthy)],
    ];
    return rows;
  };
};

/** One process is killed under load and started again. Its gateways reconnect to the others. */
export const measureKill = async (target: Target, clientProcesses: ClientProcesses, online: number) => {
  const [victim, ...others] = target.members;
  if (!victim) throw new Error('there is no process to kill');
  await clientProcesses.ackedEvents();
  const endWatch = await watchAll(target, clientProcesses, others);
  const background = clientProcesses.run({ kind: 'event', perSecond: backgroundRate, seconds: backgroundS, ackWaitMs });
  await pause(beforeKillMs);
  const before = (await clientProcesses.state()).online;
  await victim.kill();
  const at = epochMs();
  // The clients notice the loss before they are counted again.
  await pause(500);
  const lost = Math.max(0, before - (await clientProcesses.state()).online);
  const restarting = victim.start().then(() => epochMs() - at);
  const events = await background;
  const restarted = await restarting;
  const { online: back } = await waitOnline(clientProcesses, online, { longestMs: onlineTimeoutMs });
  const ready = await clientProcesses.ready();
  const reconnects = reconnectTimes(ready, at, ready.filter((time) => time >= at).length);
  lines(`${target.name}: one process killed (SIGKILL) and started again, ${backgroundRate} events/s meanwhile`, [
    ['gateways that lost their connection', `${thousands(ready.filter((time) => time >= at).length)} (${thousands(lost)} at 0.5 s)`],
    ['online again 99 % / 100 %', `${seconds(reconnects.p99)} / ${seconds(back >= online ? reconnects.all : Number.POSITIVE_INFINITY)}`],
    ['the process accepted connections again after', seconds(restarted)],
    ['events sent / acknowledged', `${thousands(events.total)} / ${thousands(events.acknowledged)}`],
    ...(await endWatch()),
  ]);
  return reconnects;
};

/** All connections are cut at the same moment, and all gateways reconnect at once, without delay or limit. */
export const measureStorm = async (target: Target, clientProcesses: ClientProcesses, online: number): Promise<Storm> => {
  const endWatch = await watchAll(target, clientProcesses, target.members);
  await clientProcesses.connect(target, Number.POSITIVE_INFINITY);
  const at = await clientProcesses.cut();
  const { online: back, why } = await waitOnline(clientProcesses, online, { longestMs: onlineTimeoutMs, reconnected: online });
  const storm = reconnectTimes(await clientProcesses.ready(), at, online);
  lines(`${target.name}: all ${thousands(online)} gateways cut, all reconnect at the same moment`, [
    ['online again', `${thousands(back)}${why ? ` (${why})` : ''}`],
    ['99 % / 100 % within', `${seconds(storm.p99)} / ${seconds(storm.all)}`],
    ['reconnects a second', thousands((online * 1000) / storm.p99)],
    ...(await endWatch()),
  ]);
  return storm;
};
