import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { IPublishPacket } from 'mqtt-packet';

/** Longer than any topic of the protocol; limits the memory per connection. */
export const longestTopic = 256;

/** Topic aliases of one connection (MQTT 5). */
export class TopicAliases {
  #topics: Map<number, string> | undefined;

  /** Resolves the topic of a message. Undefined: the alias is unknown or out of range. */
  topicOf({ topic, properties }: IPublishPacket): string | undefined {
    const alias = properties?.topicAlias;
    if (alias === undefined) return topic || undefined;
    if (alias < 1 || alias > protocolLimits.topicAliases || topic.length > longestTopic) return undefined;
    this.#topics ??= new Map();
    if (topic) this.#topics.set(alias, topic);
    return this.#topics.get(alias);
  }
}
