import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { holdOfSubject } from './hold.ts';
import { subjectOf } from './subject-keys.ts';

interface Forgotten {
  readonly subscriber_id: number;
  readonly agent_id: number;
  /** Null for a deleted subscriber. */
  readonly device_id: number | null;
  readonly account: string | null;
}

/** Deletes the keys of a subscriber, so that its sealed values become unreadable. Rows and proofs stay. A legal hold wins. */
export const forgetSubscriber = async (db: Db, { subscriber_id, agent_id, device_id, account }: Forgotten): Promise<number> => {
  const subject = `s:${subscriber_id}`;
  const hold = await holdOfSubject(db, subject, agent_id);
  if (hold) throw fail('audit_held', { args: [hold.reason] });
  // Rows of its account on its device from before the account was known.
  const earlier = device_id !== null && account ? [subjectOf({ device_id, subscriber_id: null, account, mac: null })] : [];
  const deleted = await db
    .deleteFrom('audit_key')
    .where('subject', 'in', [subject, ...earlier])
    .executeTakeFirst();
  return Number(deleted.numDeletedRows);
};
