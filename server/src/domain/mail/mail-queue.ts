import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import { isAlive } from '../../kit/process/process-node.ts';
import type { MailFault } from './mail-fault.ts';

/** A mail leased by this process. The number of tries is the lease token, because each new lease increases it. */
export interface QueuedMail {
  readonly id: number;
  readonly recipient: string;
  readonly body: string;
  readonly tries: number;
  readonly agent_id: number;
  readonly about: unknown;
}

/** Longer than any try takes. */
const leaseS = 180;
/** Retry after one minute, two, four and so on; given up after about two hours. */
const maxTries = 8;
const backOffS = (tries: number) => 60 * 2 ** (tries - 1);

/** Some may be leased. */
export const hasDueMails = (now: number) =>
  sql<boolean>`exists (select from outbox where channel = 'mail' and state = 'waiting' and next_at <= ${now})`;

/** Leases due mails, round-robin between VNOs, so that one VNO with thousands does not block the others. */
export const leaseMails = async (db: Db, now: number, count: number, owner?: string): Promise<QueuedMail[]> => {
  // Mails of a dead process are released before their lease ends.
  const isLeasable = sql`(coalesce(lease_until, 0) <= ${now} or (lease_owner is not null
    and not exists (select from process_node where process_node.id = outbox.lease_owner and ${isAlive})))`;
  const { rows } = await sql<QueuedMail>`
    update outbox o set lease_until = ${now + leaseS}, lease_owner = (select id from process_node where id = ${owner ?? null}::uuid), tries = o.tries + 1
    from (
      select id, tries from (
        select id, tries, next_at, row_number() over (partition by agent_id order by next_at, id) as turn from outbox
        where channel = 'mail' and state = 'waiting' and next_at <= ${now} and ${isLeasable}
      ) q order by turn, next_at, id limit ${count}
    ) due
    where o.id = due.id and o.state = 'waiting' and o.tries = due.tries
    returning o.id, o.recipient, o.body, o.tries, o.agent_id, o.about`.execute(db);
  return rows;
};

const ownLease = (db: Db, { id, tries }: QueuedMail) =>
  db.updateTable('outbox').where('id', '=', id).where('tries', '=', tries).where('state', '=', 'waiting');

/** Releases a mail that was not tried. */
export const requeue = async (db: Db, mail: QueuedMail) => {
  await ownLease(db, mail)
    .set({ lease_until: null, tries: mail.tries - 1 })
    .execute();
};

/**
 * A crash between the server's reply and this commit sends the mail twice. Both copies have the same message id, so receivers drop the
 * second.
 */
export const markSent = async ({ db, clock }: Deps, mail: QueuedMail, delivered: Delivered) => {
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    const row = await ownLease(tx, mail)
      .set({ state: 'sent', error: null, body: null, lease_until: null, finish_at: now })
      .returning('id')
      .executeTakeFirst();
    if (row) await delivered(tx, mail.about, now);
  });
};

/** Effects of a sent mail, in the same transaction. */
export type Delivered = (db: Db, about: unknown, now: number) => Promise<void>;

/** Schedules a retry or gives up. The row stores the reason. */
export const reschedule = async ({ db, clock }: Deps, mail: QueuedMail, fault: MailFault) => {
  const now = clock.now();
  const isOver = fault.isFinal || mail.tries >= maxTries;
  await ownLease(db, mail)
    .set({
      lease_until: null,
      error: fault.message,
      ...(isOver ? { state: 'failed', body: null, finish_at: now } : { next_at: now + backOffS(mail.tries) }),
    })
    .execute();
};
