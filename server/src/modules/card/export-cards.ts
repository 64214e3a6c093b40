import { buffer } from 'node:stream/consumers';
import { cardCalls, cardResource } from '@farlink/contract/card/card.ts';
import { cardExportCalls } from '@farlink/contract/card/card-export.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { errors } from '@farlink/contract/errors.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import type { ExportBuilder, ExportBuilders, Requester } from '../../kit/export-job.ts';
import { type ExportFormat, type ExportInput, requestExport } from '../../kit/export-task.ts';
import { fail, failAt, Refusal } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/file-store.ts';
import { filterSql, pageOf } from '../../kit/page.ts';
import { inScope } from '../../kit/scope.ts';
import { open } from '../../kit/secret.ts';
import type { Handler } from '../../kit/serve.ts';
import { cardQuery, mayTakeRule } from './card-query.ts';
import { describeFilters } from './describe-filters.ts';
import { printCards } from './print-cards.ts';

/** Passwords leave with an export for those alone who may look at each of them. */
const mayReveal = (me: Ctx['me']) => mayCall(cardCalls.reveal, me);

const titleOf = (me: Ctx['me'], [zh, en]: Text): Text => (mayReveal(me) ? [`${zh}（含卡密）`, `${en} with passwords`] : [zh, en]);

const refusePrint = (me: Ctx['me'], format: ExportFormat | null | undefined) => {
  if (format === 'pdf' && !mayReveal(me)) throw failAt('format', errors.denied.text);
};

interface Asked {
  readonly ids?: unknown;
  readonly format?: unknown;
}

/** The cards of the chosen batches, or all; printed are those that can still be sold. */
const cardsOf = (db: Db, reader: Pick<Requester, 'me'>, { ids, format }: Asked, password: 'masked' | 'sealed') => {
  const all = cardQuery(db, reader, password);
  const chosen = Array.isArray(ids) ? all.where('recharge_card.rule_id', 'in', [...ids.map(Number), 0]) : all;
  return format === 'pdf' ? chosen.where('recharge_card.status', '=', 'unused') : chosen;
};

const refuseEmpty = async (ctx: Ctx, asked: Asked, filters: ExportInput['filters']) => {
  const { rows } = await sql<{ some: boolean }>`
    select exists (select from ${cardsOf(ctx.db, ctx, asked, 'masked')} as t where ${filterSql(cardResource, filters)}) as some`.execute(
    ctx.db,
  );
  if (rows[0]?.some !== true) throw fail('export_empty');
};

export const exportCards: Handler<typeof cardCalls.export> = async (ctx, input) => {
  refusePrint(ctx.me, input.format);
  const asked: object = input;
  const filters = 'filters' in asked && typeof asked.filters === 'object' ? { ...asked.filters } : {};
  await refuseEmpty(ctx, { format: input.format }, filters);
  const order = {
    call: cardCalls.export,
    title: titleOf(ctx.me, ['充值卡', 'cards']),
    format: input.format ?? 'xlsx',
    input: { ...input, condition: await describeFilters(ctx, filters) },
  };
  const { id } = await requestExport(ctx, order);
  return { id, job_id: id };
};

export const exportRules: Handler<typeof cardRuleCalls.export> = async (ctx, { ids, format }) => {
  refusePrint(ctx.me, format);
  const rules = await ctx.db
    .selectFrom('card_rule')
    .select(['id', 'batch_no', 'state'])
    .where('id', 'in', ids)
    .where(mayTakeRule(ctx.me))
    .orderBy('id')
    .execute();
  if (rules.length !== ids.length) throw fail('not_found');
  if (rules.some((rule) => rule.state === 'making')) throw fail('card_batch_making');
  await refuseEmpty(ctx, { ids, format }, {});
  const [first, ...others] = rules.map((rule) => rule.batch_no);
  const named: Text = others.length === 0 ? [`${first}`, `${first}`] : [`${first} 等${ids.length}批`, `${first} and ${others.length} more`];
  const all = [first, ...others].join(', ');
  const order = {
    call: cardRuleCalls.export,
    title: titleOf(ctx.me, [`制卡批次 ${named[0]}`, `card batch ${named[1]}`]),
    format: format ?? 'xlsx',
    input: { ids, format, condition: [`制卡批次：${all}`, `Batches: ${all}`] },
  };
  const { id } = await requestExport(ctx, order);
  await ctx.db.updateTable('card_rule').set({ export_id: id }).where('id', 'in', ids).execute();
  return { id, job_id: id };
};

const [ruleKey, cardKey] = [operateKey(cardRuleCalls.export), operateKey(cardCalls.export)];

/** Everybody's of the branch, so that it is known who took passwords away; the file itself is for who asked for it. */
export const listCardExports: Handler<typeof cardExportCalls.list> = (ctx, input) => {
  const isEnglish = ctx.lang === 'en';
  const query = ctx.db
    .selectFrom('export_task')
    .leftJoin('customer', 'customer.id', 'export_task.customer_id')
    .leftJoin('agent', 'agent.id', 'export_task.agent_id')
    .select([
      'export_task.id',
      sql<'rule' | 'card'>`case call when ${ruleKey} then 'rule' else 'card' end`.as('kind'),
      sql<string>`export_task.id::text`.as('job_id'),
      'export_task.file_name',
      'export_task.state as status',
      'export_task.progress',
      'export_task.row_count as total',
      'export_task.file_size',
      'customer.name as operator',
      'export_task.create_at',
      'export_task.finish_at',
      sql<
        string | null
      >`case when export_task.file_key is not null and export_task.finish_at is not null and export_task.customer_id = ${ctx.me.uid}
        then 'export/download/' || export_task.id end`.as('file_url'),
      sql<string | null>`payload -> 'input' -> 'condition' ->> ${isEnglish ? 1 : 0}::int`.as('condition'),
      'agent.name as agent_name',
      (isEnglish ? sql<string | null>`message_en` : sql<string | null>`message_zh`).as('message'),
    ])
    .where('export_task.call', 'in', [ruleKey, cardKey])
    .where(inScope(ctx.me, 'export_task.agent_id'));
  return pageOf(ctx.db, cardExportCalls.list, input, query);
};

const logoOf = (deps: Deps) => async (agentId: number) => {
  const agent = await deps.db.selectFrom('agent').select('logo').where('id', '=', agentId).executeTakeFirst();
  if (!agent?.logo) return undefined;
  try {
    return await buffer(await openFileStore(deps.config).get(agent.logo));
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
};

const chinaMinutes = 480;

const sourceOf: ExportBuilder = (deps, { me, lang }, input) => {
  const columns = cardResource.columns.filter((name) => name !== 'password' || mayReveal(me));
  return {
    query: cardsOf(deps.db, { me }, { ids: input.ids, format: input.format }, 'sealed'),
    resource: { ...cardResource, columns },
    read: (row) => (mayReveal(me) ? { ...row, password: open(deps.config.secretKey, String(row.password)) } : row),
    print: (batches) => printCards(batches, { lang, offsetMinutes: chinaMinutes, logoOf: logoOf(deps) }),
  };
};

export const cardExports: ExportBuilders = { [cardKey]: sourceOf, [ruleKey]: sourceOf };
