import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import type { IPublishPacket } from 'mqtt-packet';

/** Longer than any topic of the protocol: what is kept for a connection has an end. */
export const longestTopic = 256;

/** The short names that a speaker has given to its topics. */
export class TopicAliases {
  #known: Map<number, string> | undefined;

  /** The whole topic of a message; undefined where its alias stands for nothing, or may not be given. */
  topicOf({ topic, properties }: IPublishPacket): string | undefined {
    const alias = properties?.topicAlias;
    if (alias === undefined) return topic || undefined;
    if (alias < 1 || alias > protocolLimits.topicAliases || topic.length > longestTopic) return undefined;
    this.#known ??= new Map();
    if (topic) this.#known.set(alias, topic);
    return this.#known.get(alias);
  }
}
