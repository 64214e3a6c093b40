import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import { isOfOrAbove } from '../../kit/list/ancestry.ts';
import { inForce } from './in-force.ts';

export interface SubscriberAnnouncement {
  readonly id: number;
  readonly title: string;
  readonly content: string;
  readonly send_at: number;
}

const maxAnnouncements = 20;

/** Announcements that the portals of a VNO show: published by this VNO or one above it, newest first. */
export const announcementsForSubscriber = (db: Db, agentId: number, now: number): Promise<SubscriberAnnouncement[]> =>
  db
    .selectFrom('notice')
    .select(['id', 'title', 'content', sql<number>`send_at`.as('send_at')])
    .where(inForce('notice', now))
    .where('target', '=', 'subscriber')
    .where(isOfOrAbove('notice.agent_id', agentId))
    .where(sql<boolean>`(vno_ids is null or ${agentId} = any(vno_ids))`)
    .orderBy('send_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxAnnouncements)
    .execute();
