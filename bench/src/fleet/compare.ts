import type { Connected } from './connect-phase.ts';
import { latency, printLine, seconds, thousands } from './report.ts';
import type { Storm } from './storm-phase.ts';
import { bestOf, type Step } from './sweep.ts';

export interface Compared {
  readonly name: string;
  readonly isReference: boolean;
  readonly connected: Connected;
  readonly steps: readonly Step[];
  readonly kill?: Storm;
  readonly storm?: Storm;
}

type Line = readonly [name: string, value: (one: Compared) => number | undefined, show: (value: number) => string];

const kb = (value: number) => `${value.toFixed(1)} KB`;
const ms = (value: number) => `${latency(value)} ms`;
const micros = (value: number) => `${(1000 * value).toFixed(0)} us`;

const general = (limitMs: number): Line[] => [
  ['gateways online', (c) => c.connected.online, thousands],
  ['memory of a gateway, servers', (c) => c.connected.serverKb, kb],
  ['memory of a gateway, servers + database', (c) => c.connected.serverKb + c.connected.databaseKb, kb],
  ['connects a second', (c) => c.connected.perSecond, thousands],
  ['idle, share of one core', (c) => c.connected.idleCore, (v) => `${(100 * v).toFixed(1)} %`],
  [`highest rate with p99 <= ${limitMs} ms`, (c) => bestOf(c.steps, limitMs), thousands],
  ['one process killed: 99 % back', (c) => c.kill?.p99, seconds],
  ['all cut: 99 % back', (c) => c.storm?.p99, seconds],
  ['all cut: 100 % back', (c) => c.storm?.all, seconds],
];

const ofRate = (rate: number): Line[] => {
  const step = (c: Compared) => c.steps.find((s) => s.rate === rate);
  const total = (s: Step | undefined) => s && s.serverMs + s.databaseMs;
  return [
    [`p50 at ${thousands(rate)}/s`, (c) => step(c)?.p50, ms],
    [`p99 at ${thousands(rate)}/s`, (c) => step(c)?.p99, ms],
    [`processor time of a message at ${thousands(rate)}/s, servers`, (c) => step(c)?.serverMs, micros],
    [`processor time of a message at ${thousands(rate)}/s, with database`, (c) => total(step(c)), micros],
  ];
};

/** Rates of the reference that another server was measured at too. */
const commonRates = (results: readonly Compared[], reference: Compared) =>
  reference.steps
    .map(({ rate }) => rate)
    .filter((rate) => results.some((one) => one !== reference && one.steps.some((step) => step.rate === rate)));

/** All results side by side, each with its ratio to the reference. */
export const compare = (results: readonly Compared[], limitMs: number) => {
  const reference = results.find(({ isReference }) => isReference);
  if (results.length < 2 || !reference) return;
  const width = Math.max(24, ...results.map(({ name }) => name.length + 2));
  printLine(`\n${'side by side'.padEnd(62)}${results.map(({ name }) => name.padStart(width)).join('')}`);
  for (const [name, value, show] of [...general(limitMs), ...commonRates(results, reference).flatMap(ofRate)]) {
    const base = value(reference);
    const cells = results.map((one) => {
      const found = value(one);
      if (found === undefined) return '-'.padStart(width);
      const ratio = one === reference || !base ? '' : ` (${(found / base).toFixed(2)}x)`;
      return `${show(found)}${ratio}`.padStart(width);
    });
    printLine(`  ${name.padEnd(60)}${cells.join('')}`);
  }
  printLine('A PUBACK of a field process means that the message is stored; a PUBACK of a broker means that it is in memory.');
};
