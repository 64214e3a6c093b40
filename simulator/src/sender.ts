import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';
import { upTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Connection } from './connection.ts';
import type { DpiReports } from './dpi/dpi-reports.ts';
import type { Manner } from './gateway-internals.ts';
import type { GatewayOptions } from './gateway-options.ts';
import type { Memory } from './memory.ts';
import type { Outgoing } from './outgoing.ts';
import type { PackedBatch } from './sampler.ts';
import type { World } from './world.ts';

const maxInFlight = 15;

interface SenderGateway {
  readonly sn: string;
  readonly boot: string;
  readonly outgoing: Outgoing;
  readonly memory: Memory;
  readonly connection: Connection;
  readonly world: World;
  readonly dpi: Pick<DpiReports, 'add'>;
  /** The current link is not billed by volume. */
  readonly carriesBulk: boolean;
  now(): number;
}

/** Messages of a gateway to the console: queued until acknowledged, except the status. */
export class Sender {
  readonly #gateway: SenderGateway;
  readonly #produced: GatewayOptions['produced'];
  #statusN = 0;
  #eventN = 0;

  constructor(gateway: SenderGateway, produced: GatewayOptions['produced']) {
    this.#gateway = gateway;
    this.#produced = produced;
  }

  publish(tail: string, body: unknown, how: Manner = {}) {
    const { outgoing, sn } = this.#gateway;
    outgoing.enqueue(upTopic(sn, tail), body, how);
    this.flush();
  }

  withdraw(tail: string) {
    this.#gateway.outgoing.drop(upTopic(this.#gateway.sn, tail));
  }

  event(k: string, more: JsonObject) {
    const { boot, memory } = this.#gateway;
    const id = `${boot}-${++this.#eventN}`;
    const t = this.#gateway.now();
    this.#produced?.({ event: id });
    memory.record(k, t, more);
    this.publish('e', { id, k, t, ...more });
  }

  /** Batches wait for the next step. */
  batches(packed: readonly PackedBatch[]) {
    const { outgoing, sn, dpi } = this.#gateway;
    for (const { stream, seq, rows, body } of packed) {
      this.#produced?.({ stream, boot: String(body.b), seq, rows });
      // A continuous report uses any link, within its limits.
      outgoing.enqueue(upTopic(sn, `t/${stream}`), body, { alias: true, heavy: !dpi.add(stream, body) });
    }
  }

  status() {
    const { connection, world, sn, boot } = this.#gateway;
    const client = connection.open;
    if (!client || client.inFlight >= maxInFlight) return world.reportAll();
    const body = { b: boot, n: ++this.#statusN, t: this.#gateway.now(), ...world.status() };
    void client.publish(upTopic(sn, 's'), JSON.stringify(body), { alias: true }).catch(() => {});
  }

  /** Sends queued messages that the current link may carry. */
  flush() {
    const { connection, outgoing, carriesBulk } = this.#gateway;
    if (connection.open) outgoing.pump(connection.open, carriesBulk);
  }

  /** Numbers restart at each boot. */
  rebooted() {
    this.#statusN = 0;
    this.#eventN = 0;
  }
}
