import { createHash } from 'node:crypto';
import { protocolLimits } from '@farlink/gateway/protocol/limits.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import type { Pool } from 'pg';
import { Outbox } from '../endpoint/outbox.ts';
import type { Delivered } from '../store/tx.ts';

/** A gateway that has said hello and not farewell. */
export interface Present {
  readonly conn: string;
  readonly outbox: Outbox;
  heardAt: number;
  /** Something for it found nobody listening. */
  missed: boolean;
}

/** The only name that a process of the console has towards gateways behind a broker: they do not notice which one it is. */
export const brokerNode = 'broker';

/** Names a connection that the console does not see: by the gateway's own word, or by what it said first. */
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
    // Its subscription is between it and the broker.
    outbox.follow(downTopic(sn, '#'));
    const present: Present = { conn, outbox, heardAt: performance.now(), missed: false };
    here.set(sn, present);
    return present;
  };
  return {
    here,
    enter,
    /** Whom the processes before this one had heard and not lost. */
    restore: async (pool: Pool) => {
      const sql = 'select sn, conn_id from device where conn_node = $1 and online_state = 1 and conn_id is not null';
      const { rows } = await pool.query<{ sn: string; conn_id: string }>(sql, [brokerNode]);
      for (const { sn, conn_id } of rows) if (!here.has(sn)) enter(sn, conn_id);
    },
  };
};
