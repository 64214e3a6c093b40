import { sql } from 'kysely';
import type { Db, Deps } from '../../kit/deps.ts';
import type { MailFault } from './mail-fault.ts';

/** A mail of the outbox that this process is busy with. Its number of tries is the proof of that: whoever takes it next counts on. */
export interface Letter {
  readonly id: number;
  readonly recipient: string;
  readonly body: string;
  readonly tries: number;
  readonly agent_id: number;
  readonly about: unknown;
}

/** Longer than any try takes. */
const leaseS = 180;
/** A minute, two, four… and after some two hours nobody needs to hear it any more. */
const maxTries = 8;
const backOffS = (tries: number) => 60 * 2 ** (tries - 1);

/** Takes what is due, in turns between the VNOs: one that has thousands does not hold up the others. */
export const takeLetters = async (db: Db, now: number, count: number): Promise<Letter[]> => {
  const { rows } = await sql<Letter>`
    update outbox o set lease_until = ${now + leaseS}, tries = o.tries + 1
    from (
      select id from (
        select id, next_at, row_number() over (partition by agent_id order by next_at, id) as turn from outbox
        where channel = 'mail' and state = 'waiting' and next_at <= ${now} and coalesce(lease_until, 0) <= ${now}
      ) q order by turn, next_at, id limit ${count}
    ) due
    where o.id = due.id and o.state = 'waiting' and coalesce(o.lease_until, 0) <= ${now}
    returning o.id, o.recipient, o.body, o.tries, o.agent_id, o.about`.execute(db);
  return rows;
};

const mine = (db: Db, { id, tries }: Letter) =>
  db.updateTable('outbox').where('id', '=', id).where('tries', '=', tries).where('state', '=', 'waiting');

/** Nobody has tried it after all. */
export const requeue = async (db: Db, letter: Letter) => {
  await mine(db, letter)
    .set({ lease_until: null, tries: letter.tries - 1 })
    .execute();
};

/**
 * Between the server's last word and this commit lies the one moment in which a crash makes a mail go twice. It comes under the same
 * message id then, by which receivers drop the second.
 */
export const markSent = async ({ db, clock }: Deps, letter: Letter, delivered: Delivered) => {
  await db.transaction().execute(async (tx) => {
    const now = clock.now();
    const row = await mine(tx, letter)
      .set({ state: 'sent', error: null, body: null, lease_until: null, finish_at: now })
      .returning('id')
      .executeTakeFirst();
    if (row) await delivered(tx, letter.about, now);
  });
};

/** What else is true once a mail has gone; same transaction. */
export type Delivered = (db: Db, about: unknown, now: number) => Promise<void>;

/** Tried again later, or never; either way the row says why. */
export const putOff = async ({ db, clock }: Deps, letter: Letter, fault: MailFault) => {
  const now = clock.now();
  const isOver = fault.isFinal || letter.tries >= maxTries;
  await mine(db, letter)
    .set({
      lease_until: null,
      error: fault.message,
      ...(isOver ? { state: 'failed', body: null, finish_at: now } : { next_at: now + backOffS(letter.tries) }),
    })
    .execute();
};
