import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { JobKind } from '../../kit/jobs/job.ts';

export const termNames = ['expire_at', 'device_id', 'device_group_id', 'remark'] as const;
type TermName = (typeof termNames)[number];

/** Larger batches are changed by a background job. */
export const changedAtOnce = 2000;

/** Copies the changed terms of a batch to its unused cards. Other terms stay, because a single card may differ. */
export const applyTerms = async (db: Db, ruleId: number, names: readonly TermName[], now: number): Promise<void> => {
  const [name, ...others] = names;
  if (!name) return;
  const set = [name, ...others].map((term) => sql`${sql.ref(term)} = ${sql.ref(`card_rule.${term}`)}`);
  await sql`
    update recharge_card set ${sql.join(set)} from card_rule
    where card_rule.id = ${ruleId} and recharge_card.rule_id = card_rule.id and recharge_card.status = 'unused' and recharge_card.expire_at > ${now}`.execute(
    db,
  );
};

const orderOf = (payload: unknown): { ruleId: number; names: TermName[] } => {
  const { rule_id, names } = Object(payload);
  return { ruleId: Number(rule_id), names: termNames.filter((name) => Array.isArray(names) && names.includes(name)) };
};

/** The job applies the current terms of the batch, so the order of two jobs does not matter. */
export const applyTermsJob: JobKind = {
  run: async ({ job, deps, commit }) => {
    const { ruleId, names } = orderOf(job.payload);
    await commit(async (db) => {
      await db.selectFrom('card_rule').select('id').where('id', '=', ruleId).forNoKeyUpdate().executeTakeFirst();
      await applyTerms(db, ruleId, names, deps.clock.now());
      return undefined;
    });
  },
};
