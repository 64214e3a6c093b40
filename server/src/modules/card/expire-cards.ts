import { sql } from 'kysely';
import type { Deps } from '../../kit/deps.ts';
import type { JobKind } from '../../kit/jobs/job.ts';
import { postStock } from './post-stock.ts';

const atOnce = 5000;

/** Expires a limited number of due cards and posts them to the ledger; returns the number. */
const expireSome = (deps: Deps): Promise<number> =>
  deps.db.transaction().execute(async (db) => {
    const now = deps.clock.now();
    const due = await db
      .selectFrom('recharge_card')
      .select(['id', 'rule_id', 'agent_id'])
      .where('status', '=', 'unused')
      .where('expire_at', '<=', now)
      .orderBy('expire_at')
      .limit(atOnce)
      .forUpdate()
      .skipLocked()
      .execute();
    if (due.length === 0) return 0;
    await db
      .updateTable('recharge_card')
      .set({ status: 'expired' })
      .where('id', '=', (eb) => eb.fn.any(eb.val(due.map(({ id }) => id))))
      .execute();
    const rules = await db
      .selectFrom('card_rule')
      .select(['id', 'denomination', 'batch_no'])
      .where('id', 'in', [...new Set(due.map((card) => card.rule_id))])
      .orderBy('id')
      .execute();
    for (const { id, denomination, batch_no } of rules) {
      const cards = due.filter((card) => card.rule_id === id);
      const first = Math.min(...cards.map((card) => card.id));
      const by = { agent_id: cards[0]?.agent_id ?? 0, customer_id: null, operator: 'system' };
      const count = -cards.length;
      await postStock(db, by, { cause: `card_expire:${first}`, denomination, count, remark: `${batch_no} ${count}` }, now);
    }
    return due.length;
  });

/** Redeeming checks the expiry time itself; this job updates the lists and the ledger. */
export const expireCardsJob: JobKind = {
  everyS: 300,
  isDue: ({ clock }) =>
    sql<boolean>`(select true from recharge_card where status = 'unused' and expire_at <= ${clock.now()} order by expire_at limit 1) is true`,
  run: async ({ deps, signal }) => {
    while ((await expireSome(deps)) === atOnce) signal.throwIfAborted();
  },
};
