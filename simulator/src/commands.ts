import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { DownCommand, Result } from '@farlink/gateway/protocol/message.ts';
import type { GatewayInternals } from './gateway-internals.ts';
import { operations } from './operations/registry.ts';
import { fail } from './operations/result.ts';

/** Executes each command once. A repeated command gets the stored result again. */
export class Commands {
  readonly #gateway: GatewayInternals;
  readonly #send: (id: string, result: Result) => void;
  readonly #results = new Map<string, Result>();

  constructor(gateway: GatewayInternals, reply: (id: string, result: Result) => void) {
    this.#gateway = gateway;
    this.#send = reply;
  }

  async execute(op: string, command: DownCommand) {
    const { faults } = this.#gateway;
    if (faults.neverAck) return;
    const known = this.#results.get(command.id);
    if (known) return this.#send(command.id, known);
    if (command.exp <= this.#gateway.now()) return this.#reply(command.id, fail('expired'));
    const run = !faults.unsupported.has(op) && Object.hasOwn(operations, op) ? operations[op] : undefined;
    if (!run) return this.#reply(command.id, fail('unsupported'));
    if (faults.slowAck > 0) {
      this.#remember(command.id, { st: 'ack' });
      await this.#gateway.wait(faults.slowAck);
    }
    this.#reply(command.id, { st: 'ack' });
    const act = { id: command.id, args: command.args, report: (more: Result) => this.#reply(command.id, more) };
    try {
      const result = await run(this.#gateway, act);
      if (result) this.#reply(command.id, result);
    } catch (error) {
      this.#reply(command.id, fail(error instanceof Error ? error.message : String(error)));
    }
  }

  #remember(id: string, result: Result) {
    this.#results.delete(id);
    this.#results.set(id, result);
    const [oldest] = this.#results.keys();
    if (this.#results.size > protocolLimits.commandsRemembered && oldest !== undefined) this.#results.delete(oldest);
  }

  #reply(id: string, result: Result) {
    this.#remember(id, result);
    this.#send(id, result);
  }
}
