import type { ClientProcesses } from './client-processes.ts';
import type { StepResult } from './open-loop.ts';
import { errorsOf, latency, printLine, row, share, thousands } from './report.ts';
import type { Settings } from './settings.ts';
import type { Target } from './target.ts';
import { loopDelay, watchProcessors } from './watch.ts';

const ackWaitMs = 10_000;
const firstStatusRate = 2000;
/** Above this share of p99, the send lag of the clients explains the latency. */
const clientShare = 0.5;

export interface Step extends StepResult {
  readonly rate: number;
  /** Processor time of a message, ms. */
  readonly serverMs: number;
  readonly databaseMs: number;
  /** Cores in use. */
  readonly cores: string;
  readonly busy: number;
}

const header = ['done', 'p50 ms', 'p99 ms', 'max ms', 'server ms', 'database ms', 'server lag', 'client lag', 'send lag', 'machine'];

const coresOf = ({ ms, ...spent }: Readonly<Record<'ms' | 'server' | 'database' | 'clients', number>>) =>
  Object.entries(spent)
    .map(([name, used]) => `${name} ${(used / ms).toFixed(2)}`)
    .join(', ');

const measureStep = async (target: Target, clientProcesses: ClientProcesses, rate: number, seconds: number): Promise<Step> => {
  await clientProcesses.state(true);
  await loopDelay(target.members);
  const spent = watchProcessors(target, clientProcesses);
  const result = await clientProcesses.run({ kind: 'status', perSecond: rate, seconds, ackWaitMs });
  const { ms, server, database, clients, busy } = spent();
  const { max: serverLag } = await loopDelay(target.members);
  const { lagP99, errors } = await clientProcesses.state(true);
  const each = (ms: number) => ms / Math.max(1, result.acknowledged);
  const step: Step = {
    rate,
    ...result,
    serverMs: each(server),
    databaseMs: each(database),
    cores: coresOf({ ms, server, database, clients }),
    busy,
  };
  const times = [latency(step.p50), latency(step.p99), latency(step.longest), step.serverMs.toFixed(3), step.databaseMs.toFixed(3)];
  const lags = [latency(serverLag), latency(lagP99), latency(step.sendLagP99), share(busy)];
  row(thousands(rate), [share(step.acknowledged / Math.max(1, step.total)), ...times, ...lags]);
  if (Object.keys(errors).length > 0) printLine(`    errors: ${errorsOf(errors)}`);
  return step;
};

/** Why the sweep ended at this step. */
const reasonOf = (step: Step, limitMs: number) => {
  const areClientsLate = step.sendLagP99 > clientShare * Math.min(step.p99, limitMs);
  const late = step.p99 > limitMs ? `p99 passed ${limitMs} ms` : 'the clients could not send in time';
  const limitedBy = areClientsLate
    ? `the clients sent late (send lag p99 ${latency(step.sendLagP99)} ms): this is the limit of clients and servers together on this machine`
    : `the clients sent in time (send lag p99 ${latency(step.sendLagP99)} ms): this is the limit of the servers`;
  return `Ended at ${thousands(step.rate)} messages/s: ${late}; ${limitedBy}; the machine was ${share(step.busy)} busy (cores: ${step.cores}).`;
};

/** Status messages at rising rates until p99 passes the limit, then once between the last two rates. */
export const measureSweep = async (
  target: Target,
  clientProcesses: ClientProcesses,
  settings: Settings,
  online: number,
  isOver: () => boolean,
) => {
  const { stepS, firstRate, maxRate, limitMs } = settings;
  const isTooSlow = (step: Step) => step.p99 > limitMs || step.sendLagP99 > clientShare * limitMs;
  printLine(
    `\n${target.name}: status messages with QoS 1, ${stepS} s a step, latency from the due time to the PUBACK; processor time for each message`,
  );
  row('a second', header);
  printLine('  first status of each gateway:');
  const first = await measureStep(target, clientProcesses, firstStatusRate, Math.ceil(online / firstStatusRate));
  const steps: Step[] = [];
  let end = `Ended at ${thousands(maxRate)} messages/s, the largest rate of this bench.`;
  for (let rate = firstRate; rate <= maxRate; rate *= 2) {
    if (isOver()) {
      end = 'Ended because the time of the bench is over.';
      break;
    }
    const step = await measureStep(target, clientProcesses, rate, stepS);
    steps.push(step);
    if (!isTooSlow(step)) continue;
    end = reasonOf(step, limitMs);
    if (rate > firstRate && !isOver()) steps.push(await measureStep(target, clientProcesses, (rate * 3) / 4, stepS));
    break;
  }
  printLine(end);
  if (target.received) {
    const acknowledged = [first, ...steps].reduce((n, step) => n + step.acknowledged, online);
    printLine(
      `The subscriber received ${thousands(await target.received())} messages; ${thousands(acknowledged)} were acknowledged, hello included.`,
    );
  }
  return steps.toSorted((a, b) => a.rate - b.rate);
};

/** The highest rate with p99 within the limit. */
export const bestOf = (steps: readonly Step[], limitMs: number) =>
  steps.filter((step) => step.p99 <= limitMs).reduce((best, { rate }) => Math.max(best, rate), 0);
