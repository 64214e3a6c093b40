import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { DownCommand, Result } from '@farlink/gateway/protocol/message.ts';
import type { Box } from './box.ts';
import { fail } from './operations/operation.ts';
import { operations } from './operations/registry.ts';

/** Executes each command once, however often it comes, and says again what it said before. */
export class Commands {
  readonly #box: Box;
  readonly #answer: (id: string, result: Result) => void;
  readonly #answers = new Map<string, Result>();

  constructor(box: Box, answer: (id: string, result: Result) => void) {
    this.#box = box;
    this.#answer = answer;
  }

  async take(op: string, command: DownCommand) {
    const { faults } = this.#box;
    if (faults.neverAck) return;
    const known = this.#answers.get(command.id);
    if (known) return this.#answer(command.id, known);
    if (command.exp <= this.#box.now()) return this.#say(command.id, fail('expired'));
    const run = !faults.unsupported.has(op) && Object.hasOwn(operations, op) ? operations[op] : undefined;
    if (!run) return this.#say(command.id, fail('unsupported'));
    if (faults.slowAck > 0) {
      this.#remember(command.id, { st: 'ack' });
      await this.#box.wait(faults.slowAck);
    }
    this.#say(command.id, { st: 'ack' });
    const act = { id: command.id, args: command.args, say: (more: Result) => this.#say(command.id, more) };
    try {
      const result = await run(this.#box, act);
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
