import type { Db } from '../../kit/deps.ts';

/** Notes that passwords of these batches are known outside, so their cards may be in use. */
export const markRevealed = async (db: Db, ruleIds: readonly number[], now: number): Promise<void> => {
  if (ruleIds.length === 0) return;
  await db.updateTable('card_rule').set({ revealed_at: now }).where('id', 'in', ruleIds).where('revealed_at', 'is', null).execute();
};
