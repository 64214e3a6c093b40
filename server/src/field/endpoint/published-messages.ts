import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { IPublishPacket } from 'mqtt-packet';
import type { IngestResult } from '../ingest/ingest.ts';
import { reasons, writePuback } from './codec.ts';
import type { ConnectionFault } from './input.ts';
import { TopicAliases } from './topic-aliases.ts';
import type { Wire } from './wire.ts';

/** Messages in processing at which the socket is paused, for any QoS. */
const maxInProcessing = 64;

const reasonCodes = {
  foreign: reasons.notAuthorized,
  topic: reasons.topicName,
  body: reasons.payloadFormat,
  storage: reasons.payloadFormat,
};

interface PublishedMessage {
  readonly topic: string;
  /** Acknowledges the message. */
  complete(result: IngestResult): void;
}

/** Messages of one connection that are in processing: their limits, topic aliases and acknowledgements. */
export class PublishedMessages {
  readonly #wire: Wire;
  readonly #completed: () => void;
  readonly #aliases = new TopicAliases();
  #unacked = 0;
  #inProcessing = 0;

  /** `completed` is called after each acknowledgement. */
  constructor(wire: Wire, completed: () => void) {
    this.#wire = wire;
    this.#completed = completed;
  }

  get isFull(): boolean {
    return this.#inProcessing >= maxInProcessing;
  }

  /** Returns the fault that ends the connection if the packet breaks a limit of the protocol. */
  accept(packet: IPublishPacket): PublishedMessage | ConnectionFault {
    const { qos, messageId = 0 } = packet;
    if (qos === 2) return { fault: 'qos', reason: reasons.qos };
    const topic = this.#aliases.topicOf(packet);
    if (topic === undefined) return { fault: 'alias', reason: reasons.topicAlias };
    if (qos === 1 && ++this.#unacked > protocolLimits.inFlight && this.#wire.version === 5)
      return { fault: 'receive_maximum', reason: reasons.receiveMaximum };
    this.#inProcessing++;
    const complete = (result: IngestResult) => {
      this.#inProcessing--;
      if (qos === 1) this.#acknowledge(messageId, result);
      this.#completed();
    };
    return { topic, complete };
  }

  #acknowledge(messageId: number, result: IngestResult) {
    this.#unacked--;
    const { version } = this.#wire;
    this.#wire.write(result.ok ? writePuback(version, messageId) : writePuback(version, messageId, reasonCodes[result.why], result.reason));
  }
}
