import { setTimeout as pause } from 'node:timers/promises';
import { waitOnline } from './connect-phase.ts';
import { epochMs } from './holder-calls.ts';
import type { Holders } from './holders.ts';
import { errorsOf, latency, lines, seconds, share, thousands } from './report.ts';
import type { Member, Target } from './target.ts';
import { loopDelay, watchHealth, watchProcessors } from './watch.ts';

const patienceMs = 120_000;
const [backgroundRate, backgroundS, beforeKillMs, drainMs] = [200, 20, 3000, 5000];

export interface Storm {
  /** Until 99 % and all of the gateways were online again, ms. */
  readonly most: number;
  readonly all: number;
}

/** Times of the gateways that came back, as durations after `at`. */
const comeback = (ready: readonly number[], at: number, count: number): Storm => {
  const after = ready.filter((time) => time >= at).map((time) => time - at);
  const nth = (n: number) => after[Math.max(0, n - 1)] ?? Number.POSITIVE_INFINITY;
  return { most: nth(Math.ceil(count * 0.99)), all: nth(count) };
};

type Health = Awaited<ReturnType<ReturnType<typeof watchHealth>>>;

const healthLine = ({ asked, failed, slowest }: Health) =>
  asked === 0 ? 'no health page' : `${failed} of ${asked} failed, slowest ${latency(slowest)} ms`;

const watchAll = async (target: Target, holders: Holders, members: readonly Member[]) => {
  await holders.state(true);
  await holders.ready();
  await loopDelay(members);
  const [health, spent] = [watchHealth(members), watchProcessors(target, holders)];
  return async () => {
    const used = spent();
    const [healthy, lag, { errors, lagMax }] = [await health(), await loopDelay(members), await holders.state(true)];
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

/** One process is killed under load and started again. Its gateways go to the others. */
export const measureKill = async (target: Target, holders: Holders, online: number) => {
  const [victim, ...others] = target.members;
  if (!victim) throw new Error('there is no process to kill');
  await holders.ackedEvents();
  const ended = await watchAll(target, holders, others);
  const background = holders.run({ kind: 'event', perSecond: backgroundRate, seconds: backgroundS, drainMs });
  await pause(beforeKillMs);
  const before = (await holders.state()).online;
  await victim.kill();
  const at = epochMs();
  // The clients notice the loss before they are counted again.
  await pause(500);
  const lost = Math.max(0, before - (await holders.state()).online);
  const restarting = victim.start().then(() => epochMs() - at);
  const events = await background;
  const restarted = await restarting;
  const { online: back } = await waitOnline(holders, online, { longestMs: patienceMs });
  const ready = await holders.ready();
  const came = comeback(ready, at, ready.filter((time) => time >= at).length);
  lines(`${target.name}: one process killed (SIGKILL) and started again, ${backgroundRate} events/s meanwhile`, [
    ['gateways that lost their connection', `${thousands(ready.filter((time) => time >= at).length)} (${thousands(lost)} at 0.5 s)`],
    ['online again 99 % / 100 %', `${seconds(came.most)} / ${seconds(back >= online ? came.all : Number.POSITIVE_INFINITY)}`],
    ['the process accepted connections again after', seconds(restarted)],
    ['events sent / acknowledged', `${thousands(events.total)} / ${thousands(events.acknowledged)}`],
    ...(await ended()),
  ]);
  return came;
};

/** All connections are cut at the same moment, and all gateways reconnect at once, without delay or limit. */
export const measureStorm = async (target: Target, holders: Holders, online: number): Promise<Storm> => {
  const ended = await watchAll(target, holders, target.members);
  await holders.connect(target, Number.POSITIVE_INFINITY);
  const at = await holders.cut();
  const { online: back, why } = await waitOnline(holders, online, { longestMs: patienceMs, cameBack: online });
  const storm = comeback(await holders.ready(), at, online);
  lines(`${target.name}: all ${thousands(online)} gateways cut, all reconnect at the same moment`, [
    ['online again', `${thousands(back)}${why ? ` (${why})` : ''}`],
    ['99 % / 100 % within', `${seconds(storm.most)} / ${seconds(storm.all)}`],
    ['reconnects a second', thousands((online * 1000) / storm.most)],
    ...(await ended()),
  ]);
  return storm;
};
