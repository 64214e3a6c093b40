import { cardCalls, cardResource } from '@farlink/contract/card/card.ts';
import { cardExportCalls } from '@farlink/contract/card/card-export.ts';
import { cardRuleCalls } from '@farlink/contract/card/card-rule.ts';
import { errors } from '@farlink/contract/errors.ts';
import { type Endpoint, operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { zoneMinutes } from '@farlink/contract/kit/zone.ts';
import { mayCall } from '@farlink/contract/rights.ts';
import { sql } from 'kysely';
import type { ExportFormat, ExportInput } from '../../db/column-types.ts';
import { brandOf } from '../../domain/brand/brand.ts';
import { readLogo } from '../../domain/brand/read-logo.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db, Deps } from '../../kit/deps.ts';
import type { ExportBuilder, ExportBuilders, JobOwner } from '../../kit/export/export-job.ts';
import { exportLog } from '../../kit/export/export-log.ts';
import { refuseEmpty, requestExport, requestFilled } from '../../kit/export/export-task.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { printableJpeg } from '../../kit/formats/printable-jpeg.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { filterSql } from '../../kit/list/conditions.ts';
import { pageOf } from '../../kit/list/page.ts';
import { open } from '../../kit/session/secret.ts';
import { cardQuery, ruleScope } from './card-query.ts';
import { describeFilters } from './describe-filters.ts';
import { markRevealed } from './mark-revealed.ts';
import { printCards } from './print-cards.ts';

/** An export contains passwords only if the operator may reveal them one by one. */
const mayReveal = (me: Ctx['me']) => mayCall(cardCalls.reveal, me);

const titleOf = (me: Ctx['me'], [zh, en]: Text): Text => (mayReveal(me) ? [`${zh}（含卡密）`, `${en} with passwords`] : [zh, en]);

const refusePrint = (me: Ctx['me'], format: ExportFormat | null | undefined) => {
  if (format === 'pdf' && !mayReveal(me)) throw failAt('format', errors.denied.text);
};

interface ExportRequest {
  readonly ids?: unknown;
  readonly format?: unknown;
}

/** Cards of the chosen batches, or all cards; a PDF contains only unused cards. */
const cardsOf = (db: Db, reader: JobOwner, { ids, format }: ExportRequest, password: 'masked' | 'sealed') => {
  const all = cardQuery(db, reader, password);
  const chosen = Array.isArray(ids) ? all.where('recharge_card.rule_id', 'in', [...ids.map(Number), 0]) : all;
  return format === 'pdf' ? chosen.where('recharge_card.status', '=', 'unused') : chosen;
};

export const exportCards: Handler<typeof cardCalls.export> = async (ctx, input) => {
  refusePrint(ctx.me, input.format);
  const request: object = input;
  const filters = 'filters' in request && typeof request.filters === 'object' ? { ...request.filters } : {};
  return requestFilled(ctx, {
    call: cardCalls.export,
    title: titleOf(ctx.me, ['充值卡', 'cards']),
    format: input.format ?? 'xlsx',
    input: { ...input, condition: await describeFilters(ctx, filters) },
    query: cardsOf(ctx.db, ctx, { format: input.format }, 'masked'),
  });
};

export const exportRules: Handler<typeof cardRuleCalls.export> = async (ctx, { ids, format }) => {
  refusePrint(ctx.me, format);
  const rules = await ctx.db
    .selectFrom('card_rule')
    .select(['id', 'batch_no', 'state'])
    .where('id', 'in', ids)
    .where(ruleScope(ctx.me))
    .orderBy('id')
    .execute();
  if (rules.length !== ids.length) throw fail('not_found');
  if (rules.some((rule) => rule.state === 'making')) throw fail('card_batch_making');
  await refuseEmpty(ctx.db, cardsOf(ctx.db, ctx, { ids, format }, 'masked'));
  const [first, ...others] = rules.map((rule) => rule.batch_no);
  const named: Text = others.length === 0 ? [`${first}`, `${first}`] : [`${first} 等${ids.length}批`, `${first} and ${others.length} more`];
  const all = [first, ...others].join(', ');
  const order = {
    call: cardRuleCalls.export,
    title: titleOf(ctx.me, [`制卡批次 ${named[0]}`, `card batch ${named[1]}`]),
    format: format ?? 'xlsx',
    input: { ids, format, condition: [`制卡批次：${all}`, `Batches: ${all}`] },
  };
  const requested = await requestExport(ctx, order);
  await ctx.db.updateTable('card_rule').set({ export_id: requested.id }).where('id', 'in', ids).execute();
  return requested;
};

const ruleKey = operateKey(cardRuleCalls.export);
const cardKey = operateKey(cardCalls.export);

/** Lists the exports of all operators in the branch, so each export of passwords can be traced. */
export const listCardExports: Handler<typeof cardExportCalls.list> = async (ctx, input) => {
  const kind = sql<'rule' | 'card'>`case export_task.call when ${ruleKey} then 'rule' else 'card' end`.as('kind');
  const condition = sql<string | null>`export_task.payload -> 'input' -> 'condition' ->> ${ctx.lang === 'en' ? 1 : 0}::int`.as('condition');
  const listing = await pageOf(ctx.db, cardExportCalls.list, input, exportLog(ctx, [ruleKey, cardKey]).select([kind, condition]));
  return { ...listing, list: listing.list.map(({ payload: _, ...row }) => row) };
};

const logoOf = (deps: Deps) => async (agentId: number) => {
  const logo = await readLogo(deps.config, (await brandOf(deps.db, agentId)).logo);
  return logo && printableJpeg(logo);
};

/** Batches of the exported cards, marked before their passwords leave the database. */
const revealBatches = async ({ db, clock }: Deps, cards: ReturnType<typeof cardsOf>, filters: ExportInput['filters']) => {
  const { rows } = await sql<{ rule_id: number }>`
    select distinct rule_id from ${cards} as t where ${filterSql(cardResource, filters)}`.execute(db);
  const ids = rows.map((row) => row.rule_id);
  await markRevealed(db, ids, clock.now());
  return ids;
};

/** Passwords are worth money, so the right to them is checked when the file is created, not when it is requested. */
const sourceOf =
  (call: Endpoint): ExportBuilder =>
  async (deps, { me: request, lang }, input) => {
    const me = await sessionInfoOf(deps.db, request.uid, request.acted_by);
    if (!mayCall(call, me) || (input.format === 'pdf' && !mayReveal(me))) throw fail('denied');
    const cards = cardsOf(deps.db, { me, lang }, { ids: input.ids, format: input.format }, 'sealed');
    if (!mayReveal(me))
      return { query: cards, resource: { ...cardResource, columns: cardResource.columns.filter((name) => name !== 'password') } };
    const ids = await revealBatches(deps, cards, input.filters);
    return {
      query: cards.where('recharge_card.rule_id', 'in', [...ids, 0]),
      resource: cardResource,
      read: (row) => ({ ...row, password: open(deps.config.secretKey, String(row.password)) }),
      print: (batches) => printCards(batches, { lang, offsetMinutes: zoneMinutes, logoOf: logoOf(deps) }),
    };
  };

export const cardExports: ExportBuilders = { [cardKey]: sourceOf(cardCalls.export), [ruleKey]: sourceOf(cardRuleCalls.export) };
