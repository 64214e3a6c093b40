import { downAccounts } from '@farlink/gateway/protocol/account.ts';
import { downDanger } from '@farlink/gateway/protocol/danger-list.ts';
import { downClock, downCommand } from '@farlink/gateway/protocol/message.ts';
import { parseJson } from '@farlink/gateway/protocol/shape.ts';
import { downTail } from '@farlink/gateway/protocol/topic.ts';
import { Commands } from './commands.ts';
import type { Configuration } from './config/configuration.ts';
import type { GatewayClock } from './gateway-clock.ts';
import type { GatewayInternals } from './gateway-internals.ts';

/** Messages of the console to a gateway: configuration, commands, time, and requests for a hello message. */
export class Receiver {
  readonly #gateway: GatewayInternals & { readonly configuration: Configuration };
  readonly #clock: GatewayClock;
  #commands: Commands | undefined;

  constructor(gateway: GatewayInternals & { readonly configuration: Configuration }, clock: GatewayClock) {
    this.#gateway = gateway;
    this.#clock = clock;
  }

  onMessage(topic: string, body: string) {
    const gateway = this.#gateway;
    const [kind, name = ''] = downTail(gateway.sn, topic)?.split(/\/(.*)/s) ?? [];
    if (gateway.configuration.onMessage(kind, name, body)) return;
    if (kind === 'c') this.#command(name, body);
    else if (kind === 'hello') gateway.sendHello();
    else if (kind === 'acc') this.#accounts(body);
    else if (kind === 'danger') this.#danger(body);
    else if (kind === 'a') this.#setClock(body);
  }

  #command(name: string, body: string) {
    const parsed = parseJson(downCommand, body);
    this.#commands ??= new Commands(this.#gateway, (id, result) => {
      // Only the newest progress counts, but every chunk of text output is kept.
      this.#gateway.publish(`r/${id}`, result, { passing: result.st === 'run' && result.out?.n === undefined });
    });
    if ('value' in parsed) void this.#commands.execute(name, parsed.value);
  }

  /** Older gateways ignore accounts. */
  #accounts(body: string) {
    const gateway = this.#gateway;
    const parsed = parseJson(downAccounts, body);
    if ('reason' in parsed || !gateway.firmware.storesAccounts) return;
    const { report, changed } = gateway.accounts.applyPage(parsed.value, gateway.faults.refuseAccounts);
    gateway.users.review(changed);
    gateway.publish('acc', { ...report });
  }

  #danger(body: string) {
    const gateway = this.#gateway;
    const parsed = parseJson(downDanger, body);
    if ('value' in parsed && gateway.firmware.blocksSites) gateway.publish('danger', { ...gateway.danger.apply(parsed.value) });
  }

  #setClock(body: string) {
    const parsed = parseJson(downClock, body);
    if ('value' in parsed && !this.#gateway.faults.deafClock) this.#clock.set(parsed.value.t);
  }
}
