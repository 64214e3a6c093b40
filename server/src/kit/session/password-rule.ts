import { defaultPasswordRule, type PasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { sql } from 'kysely';
import type { Db } from '../deps.ts';

/** Password rule of the platform. Every request needs it and it rarely changes, so each process caches it for a few seconds. */
const cacheMs = 5000;
const cache = new WeakMap<Db, { rule: PasswordRule; until: number }>();

export const passwordRuleOf = async (db: Db): Promise<PasswordRule> => {
  const known = cache.get(db);
  if (known && known.until > performance.now()) return known.rule;
  const { rows } = await sql<{ rule: Partial<PasswordRule> | null }>`
    select jsonb_object_agg(s.name, s.value) as rule from setting s join agent a on a.id = s.agent_id
    where a.agent_level = 0 and s.name in ('password_rule_range', 'password_rule_special', 'password_rule_complex')`.execute(db);
  const rule = { ...defaultPasswordRule, ...rows[0]?.rule };
  cache.set(db, { rule, until: performance.now() + cacheMs });
  return rule;
};

/** For the process that changes it; other processes update within seconds. */
export const forgetPasswordRule = (db: Db) => cache.delete(db);
