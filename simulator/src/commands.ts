import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { DownCommand, Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { isLinkName, type LinkName } from './radio.ts';
import type { Random } from './random.ts';

/** What a command may do to the gateway that executes it. */
export interface Machine {
  readonly random: Random;
  now(): number;
  rtt(): number;
  has(link: string): boolean;
  lock(link: LinkName | undefined): void;
  section(name: string): { readonly rev: number; readonly doc: JsonObject } | undefined;
  answer(id: string, result: Result): void;
  /** The answer goes out after the gateway has come back. */
  reboot(then: () => void): void;
}

type Run = (machine: Machine, command: DownCommand) => Result | undefined;

const done = (out: JsonObject): Result => ({ st: 'done', out });
const fail = (err: string): Result => ({ st: 'fail', err });

const ping: Run = ({ random, rtt }, { args }) => {
  const base = rtt();
  const sent = typeof args.count === 'number' ? Math.min(Math.max(1, args.count), 10) : 4;
  const times = Array.from({ length: sent }, () => (random.chance(0.02) ? null : Math.round(base * random.between(0.95, 1.3))));
  return done({ sent, received: times.filter((t) => t !== null).length, rtt: times });
};

const lock: Run = (machine, { args }) => {
  const { link } = args;
  if (link === null || link === undefined) {
    machine.lock(undefined);
    return done({});
  }
  if (!isLinkName(link) || !machine.has(link)) return fail('no such link');
  machine.lock(link);
  return done({ link });
};

const get: Run = (machine, { args }) => {
  const found = typeof args.section === 'string' ? machine.section(args.section) : undefined;
  return found ? done({ rev: found.rev, doc: found.doc }) : fail('no such section');
};

const reboot: Run = (machine, { id }) => {
  machine.reboot(() => machine.answer(id, { st: 'done' }));
  return undefined;
};

const operations: Readonly<Record<string, Run>> = { 'diag.ping': ping, 'link.lock': lock, 'cfg.get': get, 'sys.reboot': reboot };

/** Executes each command once, however often it comes, and says again what it said before. */
export class Commands {
  readonly #machine: Machine;
  readonly #answers = new Map<string, Result>();

  constructor(machine: Machine) {
    this.#machine = machine;
  }

  take(op: string, command: DownCommand) {
    const known = this.#answers.get(command.id);
    if (known) return this.#machine.answer(command.id, known);
    if (command.exp <= this.#machine.now()) return this.#say(command.id, fail('expired'));
    const run = operations[op];
    if (!run) return this.#say(command.id, fail('unsupported'));
    this.#say(command.id, { st: 'ack' });
    const result = run(this.#machine, command);
    if (result) this.#say(command.id, result);
  }

  /** Also what a command says later, after a reboot. */
  remember(id: string, result: Result) {
    this.#answers.delete(id);
    this.#answers.set(id, result);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > protocolLimits.commandsRemembered && oldest !== undefined) this.#answers.delete(oldest);
  }

  #say(id: string, result: Result) {
    this.remember(id, result);
    this.#machine.answer(id, result);
  }
}
