import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { DownCommand, Result } from '@farlink/gateway/protocol/message.ts';
import type { GatewayInternals } from './gateway-internals.ts';
import { fail } from './operations/operation.ts';
import { operations } from './operations/registry.ts';

/** Executes each command once. A repeated command gets the stored result again. */
export class Commands {
  readonly #gateway: GatewayInternals;
  readonly #answer: (id: string, result: Result) => void;
  readonly #answers = new Map<string, Result>();

  constructor(gateway: GatewayInternals, reply: (id: string, result: Result) => void) {
    this.#gateway = gateway;
    this.#answer = reply;
  }

  async take(op: string, command: DownCommand) {
    const { faults } = this.#gateway;
    if (faults.neverAck) return;
    const known = this.#answers.get(command.id);
    if (known) return this.#answer(command.id, known);
    if (command.exp <= this.#gateway.now()) return this.#say(command.id, fail('expired'));
    const run = !faults.unsupported.has(op) && Object.hasOwn(operations, op) ? operations[op] : undefined;
    if (!run) return this.#say(command.id, fail('unsupported'));
    if (faults.slowAck > 0) {
      this.#remember(command.id, { st: 'ack' });
      await this.#gateway.wait(faults.slowAck);
    }
    this.#say(command.id, { st: 'ack' });
    const act = { id: command.id, args: command.args, say: (more: Result) => this.#say(command.id, more) };
    try {
      const result = await run(this.#gateway, act);
      if (result) this.#say(command.id, result);
    } catch (error) {
      this.#say(command.id, fail(error instanceof Error ? error.message : String(error)));
    }
  }

  #remember(id: string, result: Result) {
    this.#answers.delete(id);
    this.#answers.set(id, result);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > protocolLimits.commandsRemembered && oldest !== undefined) this.#answers.delete(oldest);
  }

  #say(id: string, result: Result) {
    this.#remember(id, result);
    this.#answer(id, result);
  }
}
