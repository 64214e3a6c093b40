import { setImmediate as turn } from 'node:timers/promises';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { type Selectable, sql } from 'kysely';
import type { CardRuleTable } from '../../db/tables.ts';
import { newCards } from '../../domain/card/card-number.ts';
import type { Db } from '../../kit/deps.ts';
import type { Job, JobKind, JobRun } from '../../kit/jobs/job.ts';
import { seal } from '../../kit/session/secret.ts';
import { postStock } from './post-stock.ts';

/** Cards per insert. Between two inserts other work can run, and the batch reports its progress. */
const chunk = 5000;

const ruleId = (payload: unknown): number => (isRecord(payload) ? Number(payload.rule_id) : Number.NaN);

type Rule = Selectable<CardRuleTable>;

/** Card numbers, with passwords sealed for the table. */
const drawCards = (key: Buffer, count: number) =>
  newCards(count).map(({ number, password }) => ({ number, password: seal(key, password) }));
type Drawn = ReturnType<typeof drawCards>;

/** Returns the number of inserted cards. A duplicate number is skipped, and the caller draws another one. */
const insertCards = async (db: Db, rule: Rule, cards: Drawn, now: number): Promise<number> => {
  const { numAffectedRows } = await sql`
    insert into recharge_card (rule_id, agent_id, number, password, device_id, device_group_id, expire_at, remark, create_at)
    select ${rule.id}, ${rule.agent_id}, number, password, ${rule.device_id}, ${rule.device_group_id}, ${rule.expire_at}, ${rule.remark}, ${now}
    from unnest(${cards.map((c) => c.number)}::text[], ${cards.map((c) => c.password)}::text[]) as made (number, password)
    on conflict (number) do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
};

/** Cards, ledger entry and final state are one transaction: a batch is complete or does not exist. */
const makeBatch = async ({ job, deps, signal, commit }: JobRun) => {
  const id = ruleId(job.payload);
  const rule = await deps.db.selectFrom('card_rule').selectAll().where('id', '=', id).where('state', '=', 'making').executeTakeFirst();
  if (!rule) throw new Error(`there is no batch ${id} to make`);
  // The progress uses another connection, so it is visible before the commit.
  const reportProgress = (made_count: number) => deps.db.updateTable('card_rule').set({ made_count }).where('id', '=', id).execute();
  await reportProgress(0);
  const now = deps.clock.now();
  await commit(async (db) => {
    const draw = (left: number) => drawCards(deps.config.secretKey, Math.min(chunk, left));
    let cards = draw(rule.count);
    for (let made = 0; made < rule.count; ) {
      signal.throwIfAborted();
      const inserting = insertCards(db, rule, cards, now);
      // The insert is sent first; the next cards are drawn while the database processes it.
      await turn();
      cards = draw(rule.count - made - cards.length);
      made += await inserting;
      if (cards.length === 0) cards = draw(rule.count - made);
      await reportProgress(made);
    }
    const by = { agent_id: rule.agent_id, customer_id: rule.customer_id, operator: rule.producer };
    const { denomination, count } = rule;
    await postStock(db, by, { cause: `card_stock:${id}`, denomination, count, remark: `${rule.batch_no} +${count}` }, now);
    await db.updateTable('card_rule').set({ state: 'ready', made_count: count }).where('id', '=', id).execute();
    return { made: count };
  });
};

const batchFailed = async (db: Db, job: Job) => {
  await db.updateTable('card_rule').set({ state: 'failed', made_count: 0 }).where('id', '=', ruleId(job.payload)).execute();
};

export const makeCardsJob: JobKind = { run: makeBatch, failed: batchFailed };
