import type { FeedbackLevel, FeedbackStatus } from '@farlink/contract/feedback/choices.ts';
import type { Db } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';

export interface Handling {
  readonly status: FeedbackStatus;
  readonly level: FeedbackLevel;
  readonly remark: string;
}

/** Stores the answer. It is final: subscribers see it, so handled feedback does not change any more. */
export const handleFeedback = async (db: Db, id: number, { status, level, remark }: Handling, handler: string, now: number) => {
  const changed = await db
    .updateTable('feedback')
    .set((eb) => ({
      status,
      level,
      remark,
      update_at: now,
      version: eb('version', '+', 1),
      ...(status === 1 && { handler, handle_at: now }),
    }))
    .where('id', '=', id)
    .where('status', '=', 0)
    .returning('id')
    .executeTakeFirst();
  if (!changed) throw fail('feedback_handled');
};
