import { codes } from '@farlink/gateway/radius/attributes.ts';
import { encodeReply } from '@farlink/gateway/radius/authenticator.ts';
import type { Attribute, Packet } from '@farlink/gateway/radius/packet.ts';
import { allOf } from '@farlink/gateway/radius/values.ts';
import type { Identified } from './identify.ts';
import type { NasCounters } from './nas-counters.ts';
import type { Nas } from './registry.ts';
import { openReplyCache } from './reply-cache.ts';

/** Where a request came from and how its reply goes back. */
export interface Source {
  readonly address: string;
  /** The client of a RadSec connection. */
  readonly nas?: Nas;
  /** Requests that this port accepts. */
  readonly accepts: 'access' | 'accounting' | 'both';
  send(bytes: Buffer): void;
}

/** A proven request that waits for its reply. `key` finds its repetitions. */
export interface Pending {
  readonly packet: Packet;
  readonly client: Identified;
  readonly source: Source;
  readonly key: string;
}

const maxDelayed = 20_000;

/** Sends replies and remembers them for repeated requests. */
export const openReplies = (counters: NasCounters, rejectDelayMs: number) => {
  const cache = openReplyCache();
  const delayed = new Set<NodeJS.Timeout>();

  const reply = ({ packet, client, source, key }: Pending, code: number, attributes: readonly Attribute[]) => {
    // RFC 2865 5.33: Proxy-State goes back unchanged and in order.
    const bytes = encodeReply({ code, attributes: [...attributes, ...allOf(packet, 'Proxy-State')] }, packet, client.secret);
    cache.complete(key, bytes);
    source.send(bytes);
  };
  const drop = ({ client, key }: Pending) => {
    cache.forget(key);
    counters.count(client.nas.id, 'drops');
  };
  return {
    cache,
    reply,
    drop,
    /** Delays rejects, against guessing. The request has left the queue, so it delays no other. */
    rejectLater: (pending: Pending, attributes: readonly Attribute[]) => {
      if (delayed.size >= maxDelayed) return drop(pending);
      const timer = setTimeout(() => {
        delayed.delete(timer);
        reply(pending, codes.accessReject, attributes);
      }, rejectDelayMs);
      delayed.add(timer);
    },
    close: () => {
      for (const timer of delayed) clearTimeout(timer);
    },
  };
};

export type Replies = ReturnType<typeof openReplies>;
