import { cardRuleCalls as calls } from '@farlink/contract/card/card-rule.ts';
import { cardStatus } from '@farlink/contract/card/choices.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { orderJob } from '../../kit/jobs/job.ts';
import { narrowOptions } from '../../kit/list/options.ts';
import { pageOf } from '../../kit/list/page.ts';
import { record } from '../../kit/log/record.ts';
import { applyTerms, changedAtOnce, termNames } from './apply-terms.ts';
import { bindingOf } from './card-binding.ts';
import { ruleQuery, ruleScope } from './card-query.ts';
import { postStock } from './post-stock.ts';

export const listRules: Handler<typeof calls.list> = (ctx, input) => pageOf(ctx.db, calls.list, input, ruleQuery(ctx.db, ctx));

export const readRule: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await ruleQuery(ctx.db, ctx).where('card_rule.id', '=', id).executeTakeFirst();
  if (!row) throw fail('not_found');
  return row;
};

export const ruleOptions: Handler<typeof calls.option> = async (ctx, request) => {
  const query = ctx.db.selectFrom('card_rule').select(['id', 'batch_no', 'name']).where(ruleScope(ctx.me)).orderBy('id', 'desc');
  const rows = await narrowOptions(query, request, 'card_rule', { batch_no: undefined, name: undefined }).execute();
  return Object.fromEntries(rows.map((r) => [r.id, `${r.batch_no} ${r.name}`]));
};

/** Locks the batch, so other transactions cannot redeem, change or delete its cards. */
const lockRule = async (ctx: Ctx, id: number) => {
  const rule = await ctx.db
    .selectFrom('card_rule')
    .selectAll()
    .where('id', '=', id)
    .where(ruleScope(ctx.me))
    .forUpdate()
    .executeTakeFirst();
  if (!rule) throw fail('not_found');
  if (rule.state === 'making') throw fail('card_batch_making');
  return rule;
};

export const updateRule: Handler<typeof calls.update> = async (ctx, input) => {
  const rule = await lockRule(ctx, input.id);
  if (rule.version !== input.version) throw fail('stale');
  const terms = {
    expire_at: input.expire_at,
    ...(await bindingOf(ctx, input)),
    remark: input.remark === undefined ? rule.remark : input.remark,
  };
  const stored: Readonly<Record<string, unknown>> = rule;
  const changed = ([key, value]: [string, unknown]) => stored[key] !== value;
  const after: Record<string, unknown> = Object.fromEntries(Object.entries({ name: input.name, ...terms }).filter(changed));
  if (Object.keys(after).length === 0) throw fail('unchanged');
  await ctx.db
    .updateTable('card_rule')
    .set({ name: input.name, ...terms, update_at: ctx.now(), version: rule.version + 1 })
    .where('id', '=', rule.id)
    .execute();
  const names = termNames.filter((name) => name in after);
  if (rule.count <= changedAtOnce) await applyTerms(ctx.db, rule.id, names, ctx.now());
  else if (names.length > 0)
    await orderJob(ctx.db, ctx.now(), { kind: 'apply_card_terms', payload: { rule_id: rule.id, names }, me: ctx.me });
  record(ctx, [`修改制卡批次 ${rule.batch_no}`, `Changed card batch ${rule.batch_no}`], {
    before: Object.fromEntries(Object.keys(after).map((key) => [key, stored[key]])),
    after,
  });
};

export const removeRule: Handler<typeof calls.remove> = async (ctx, { id }) => {
  const rule = await lockRule(ctx, id);
  if (rule.used_count > 0) throw fail('card_batch_used');
  if (rule.revealed_at !== null) throw fail('card_batch_revealed');
  const { rows } = await sql<{ unused: number }>`
    with gone as (delete from recharge_card where rule_id = ${id} returning status)
    select count(*) filter (where status = 'unused')::int as unused from gone`.execute(ctx.db);
  const unused = rows[0]?.unused ?? 0;
  const by = { agent_id: rule.agent_id, customer_id: ctx.me.uid, operator: ctx.me.name };
  const { denomination, batch_no } = rule;
  if (unused > 0)
    await postStock(ctx.db, by, { cause: `card_delete:${id}`, denomination, count: -unused, remark: `${batch_no} -${unused}` }, ctx.now());
  await ctx.db.deleteFrom('card_rule').where('id', '=', id).execute();
  record(ctx, [`删除制卡批次 ${batch_no}`, `Deleted card batch ${batch_no}`], { before: rule });
};

/** Voids the unused cards of the batch and posts their value out of the stock. */
export const voidRule: Handler<typeof calls.void> = async (ctx, { id }) => {
  const rule = await lockRule(ctx, id);
  const { rows } = await sql<{ count: number; first: number | null }>`
    with voided as (update recharge_card set status = ${cardStatus.to('void')}
      where rule_id = ${id} and status = 'unused' and expire_at > ${ctx.now()} returning id)
    select count(*)::int as count, min(id) as first from voided`.execute(ctx.db);
  const [{ count, first } = { count: 0, first: null }] = rows;
  if (first === null) throw fail('card_not_changeable');
  const { denomination, batch_no, agent_id } = rule;
  const by = { agent_id, customer_id: ctx.me.uid, operator: ctx.me.name };
  await postStock(ctx.db, by, { cause: `card_void:${first}`, denomination, count: -count, remark: `${batch_no} -${count}` }, ctx.now());
  record(ctx, [`作废制卡批次 ${batch_no} 的 ${count} 张卡`, `Voided ${count} cards of batch ${batch_no}`], { after: { voided: count } });
};
