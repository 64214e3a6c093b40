import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { filterTexts } from '../../kit/export/export-log.ts';
import { fail } from '../../kit/fail.ts';

/** Reason that this session entered for a page. Without one the data is not shown. */
export const reasonOfSession = async ({ db, sessionId }: Pick<Ctx, 'db' | 'sessionId'>, page: AuditPage): Promise<string | null> => {
  const row = await db
    .selectFrom('audit_reason')
    .select('reason')
    .where('session_id', '=', sessionId)
    .where('page', '=', page)
    .executeTakeFirst();
  return row?.reason ?? null;
};

export const requireReason = async (ctx: Pick<Ctx, 'db' | 'sessionId'>, page: AuditPage): Promise<string> => {
  const reason = await reasonOfSession(ctx, page);
  if (reason === null) throw fail('audit_reason_needed');
  return reason;
};

export interface Access {
  readonly me: SessionInfo;
  readonly ip: string;
  readonly now: number;
  readonly page: AuditPage;
  readonly action: 'list' | 'reveal' | 'export' | 'export_clear';
  readonly resource: Resource;
  /** Without sealed values. */
  readonly filters: Values;
  /** Distinguishes filters without storing their values. */
  readonly filterHash: string;
  readonly rows: number;
  readonly reason: string;
}

/** Seconds in which the same access of an operator is one row. */
const slotS = 600;

/** Logs an access to audit data. */
export const logAccess = async (db: Db, access: Access): Promise<void> => {
  const { me, ip, now, page, action, resource, filters, filterHash, rows, reason } = access;
  await db
    .insertInto('audit_look')
    .values({
      agent_id: me.agent_id,
      customer_id: me.uid,
      username: me.username,
      name: me.name,
      acted_by: me.acted_by,
      page,
      action,
      reason,
      ip,
      row_count: rows,
      look_count: 1,
      create_at: now,
      // Accesses of another operator in the same account are rows of their own.
      filter_hash: me.acted_by === null ? filterHash : `${filterHash} ${me.acted_by}`,
      condition_zh: filterTexts(resource, filters, 'zh', zoneMinutes),
      condition_en: filterTexts(resource, filters, 'en', zoneMinutes),
      slot: now - (now % slotS),
    })
    .onConflict((conflict) =>
      conflict.columns(['customer_id', 'page', 'action', 'filter_hash', 'slot']).doUpdateSet({
        row_count: sql`audit_look.row_count + excluded.row_count`,
        look_count: sql`audit_look.look_count + 1`,
      }),
    )
    .execute();
};
