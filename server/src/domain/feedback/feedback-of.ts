import type { FeedbackLevel, FeedbackStatus, FeedbackType } from '@farlink/contract/feedback/choices.ts';
import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';

export interface OwnFeedback {
  readonly id: number;
  readonly type: FeedbackType;
  readonly level: FeedbackLevel;
  readonly content: string;
  readonly create_at: number;
  readonly status: FeedbackStatus;
  /** The answer; null until the feedback is handled. */
  readonly remark: string | null;
  readonly handle_at: number | null;
}

const maxItems = 50;

/** Feedback of a subscriber with the answers, newest first. A remark on pending feedback is an internal note. */
export const feedbackOf = (db: Db, subscriberId: number): Promise<OwnFeedback[]> =>
  db
    .selectFrom('feedback')
    .select(['id', 'type', 'level', 'content', 'create_at', 'status', 'handle_at'])
    .select(sql<string | null>`case when status = 1 then remark end`.as('remark'))
    .where('subscriber_id', '=', subscriberId)
    .orderBy('create_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxItems)
    .execute();
