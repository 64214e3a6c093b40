import type { Db } from '../../kit/deps.ts';

export interface Hold {
  readonly id: number;
  readonly subject: string | null;
  readonly agent_id: number;
  readonly from_at: number;
  readonly to_at: number | null;
  readonly reason: string;
}

const columns = ['id', 'subject', 'agent_id', 'from_at', 'to_at', 'reason'] as const;

/** Open hold that covers a subject: its own, or one of all data of its VNO. */
export const holdOfSubject = (db: Db, subject: string, agentId: number): Promise<Hold | undefined> =>
  db
    .selectFrom('audit_hold')
    .select(columns)
    .where('released_at', 'is', null)
    .where((eb) => eb.or([eb('subject', '=', subject), eb.and([eb('subject', 'is', null), eb('agent_id', '=', agentId)])]))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
