import { defaultPasswordRule, type PasswordRule } from '@farlink/contract/kit/password-rule.ts';
import type { Db } from './deps.ts';

/** The platform's password rule. It is asked for on every request and changes once a year, so each process keeps it for a few seconds. */
const keepMs = 5000;
const kept = new WeakMap<Db, { rule: PasswordRule; until: number }>();

export const passwordRuleOf = async (db: Db): Promise<PasswordRule> => {
  const known = kept.get(db);
  if (known && known.until > performance.now()) return known.rule;
  const row = await db
    .selectFrom('setting')
    .innerJoin('agent', 'agent.id', 'setting.agent_id')
    .select('setting.value')
    .where('agent.agent_level', '=', 0)
    .where('setting.name', '=', 'password_rule')
    .executeTakeFirst();
  const rule = { ...defaultPasswordRule, ...(typeof row?.value === 'object' ? row.value : {}) };
  kept.set(db, { rule, until: performance.now() + keepMs });
  return rule;
};
