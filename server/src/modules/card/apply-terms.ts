import { sql } from 'kysely';
import type { Db } from '../../kit/deps.ts';
import type { JobKind } from '../../kit/jobs/job.ts';

export const termNames = ['expire_at', 'device_id', 'device_group_id', 'remark'] as const;
type TermName = (typeof termNames)[number];

/** More cards than this are changed in the background. */
export const changedAtOnce = 2000;

/** Gives the unused cards of a batch what the batch says now, of the terms that were changed: a single card may have others of its own. */
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

/** Whichever of two changes is applied last, it applies what stands in the batch then, which is the later one. */
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
