import { createHash } from 'node:crypto';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Pool } from 'pg';
import { Outbox } from '../endpoint/outbox.ts';
import type { Delivered } from '../store/tx.ts';

/** A gateway that has sent `hello` and no `bye`. */
export interface Present {
  readonly conn: string;
  readonly outbox: Outbox;
  heardAt: number;
  /** A message for it found no subscriber. */
  missed: boolean;
}

/** Shared node name of all console processes behind a broker, because gateways cannot distinguish them. */
export const brokerNode = 'broker';

/** Connection id for a connection that the console does not see: the id from the hello, or a hash of the hello body. */
export const connOf = (c: string | undefined, hello: string) => `b-${c ?? createHash('sha256').update(hello).digest('hex').slice(0, 12)}`;

const noMatchingSubscribers = 0x10;

export const openOnlineGateways = (
  publish: (topic: string, body: string) => Promise<number>,
  delivered: (sn: string, conn: string, sent: Delivered) => void,
) => {
  const here = new Map<string, Present>();
  const enter = (sn: string, conn: string): Present => {
    const outbox: Outbox = new Outbox({
      sn,
      window: protocolLimits.inFlight,
      write: (id, topic, body) =>
        void publish(topic, body).then((code) => {
          if (code < noMatchingSubscribers) return outbox.acked(id);
          present.missed = true;
          outbox.missed(id);
        }),
      taken: (sent) => delivered(sn, conn, sent),
    });
    // The broker handles the real subscription, so the outbox accepts all topics.
    outbox.follow(downTopic(sn, '#'));
    const present: Present = { conn, outbox, heardAt: performance.now(), missed: false };
    here.set(sn, present);
    return present;
  };
  return {
    here,
    enter,
    /** Loads the gateways that were online under the previous leader. */
    restore: async (pool: Pool) => {
      const sql = 'select sn, conn_id from device where conn_node = $1 and online_state = 1 and conn_id is not null';
      const { rows } = await pool.query<{ sn: string; conn_id: string }>(sql, [brokerNode]);
      for (const { sn, conn_id } of rows) if (!here.has(sn)) enter(sn, conn_id);
    },
  };
};
