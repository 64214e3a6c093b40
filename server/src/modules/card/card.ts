import { cardCalls as calls } from '@farlink/contract/card/card.ts';
import { errors } from '@farlink/contract/errors.ts';
import type { BatchResult } from '@farlink/contract/kit/batch.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { operatorSearch } from '../../kit/list/operator-name.ts';
import { pageOf } from '../../kit/list/page.ts';
import { record } from '../../kit/log/record.ts';
import { open } from '../../kit/session/secret.ts';
import { bindingOf } from './card-binding.ts';
import { cardQuery, cardScope } from './card-query.ts';
import { markRevealed } from './mark-revealed.ts';
import { postStock } from './post-stock.ts';

export const listCards: Handler<typeof calls.list> = (ctx, input) => {
  const { resource } = calls.list;
  const search = operatorSearch(ctx, { column: 'card_rule.producer', resource, filter: 'producer', filters: input.filters });
  const cards = ctx.db.selectFrom('recharge_card').where(cardScope(ctx.me));
  return pageOf(ctx.db, calls.list, input, cardQuery(ctx.db, ctx).where(search), cards);
};

export const revealCard: Handler<typeof calls.reveal> = async (ctx, { id }) => {
  const card = await ctx.db
    .selectFrom('recharge_card')
    .select(['number', 'password', 'rule_id'])
    .where('id', '=', id)
    .where(cardScope(ctx.me))
    .executeTakeFirst();
  if (!card) throw fail('not_found');
  await markRevealed(ctx.db, [card.rule_id], ctx.now());
  record(ctx, [`查看充值卡 ${card.number} 的卡密`, `Viewed the password of card ${card.number}`], { subject: `card:${id}` });
  return { value: open(ctx.deps.config.secretKey, card.password) };
};

/** Locks the batches first, then the cards, both ordered by id, so concurrent requests cannot deadlock. */
const lockCards = async (ctx: Ctx, ids: readonly number[]) => {
  const mine = ctx.db.selectFrom('recharge_card').select('rule_id').where('id', 'in', ids).where(cardScope(ctx.me));
  const rules = await ctx.db
    .selectFrom('card_rule')
    .select(['id', 'denomination', 'batch_no'])
    .where('id', 'in', mine)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const cards = await ctx.db
    .selectFrom('recharge_card')
    .selectAll()
    .where('id', 'in', ids)
    .where(cardScope(ctx.me))
    .orderBy('id')
    .forUpdate()
    .execute();
  return { rules, cards };
};

type Locked = Awaited<ReturnType<typeof lockCards>>;
type Card = Locked['cards'][number];

/** Voids the cards and posts their value out of the stock. */
const voidCards = async (ctx: Ctx, rules: Locked['rules'], cards: readonly Card[]) => {
  await ctx.db
    .updateTable('recharge_card')
    .set({ status: 'disabled' })
    .where('id', 'in', [...cards.map((card) => card.id), 0])
    .execute();
  for (const { id, denomination, batch_no } of rules) {
    const [first, ...others] = cards.filter((card) => card.rule_id === id);
    if (!first) continue;
    const count = -(others.length + 1);
    const by = { agent_id: first.agent_id, customer_id: ctx.me.uid, operator: ctx.me.name };
    await postStock(ctx.db, by, { cause: `card_void:${first.id}`, denomination, count, remark: `${batch_no} ${count}` }, ctx.now());
  }
};

const resultOf = (ctx: Ctx, ids: readonly number[], refusals: ReadonlyMap<number, Text>): BatchResult => {
  const list = ids.map((id) => {
    const refusal = refusals.get(id);
    return { id, success: refusal === undefined, message: refusal ? say(refusal, ctx.lang) : '' };
  });
  return { success: ids.length - refusals.size, fail: refusals.size, list };
};

const content = (isVoid: boolean, cards: readonly Card[]): Text => {
  const [first] = cards;
  const [zh, en] = cards.length === 1 ? [`${first?.number}`, `card ${first?.number}`] : [`${cards.length} 张`, `${cards.length} cards`];
  return isVoid ? [`作废充值卡 ${zh}`, `Voided ${en}`] : [`修改充值卡 ${zh}`, `Changed ${en}`];
};

interface Terms {
  readonly expire_at: number;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
  readonly remark: string | null;
}
/** An absent remark stays unchanged. */
type Change = Omit<Terms, 'remark'> & Partial<Pick<Terms, 'remark'>>;
const termsOf = ({ expire_at, device_id, device_group_id, remark }: Terms): Terms => ({ expire_at, device_id, device_group_id, remark });
const isSame = (card: Card, terms: Change) => JSON.stringify(termsOf(card)) === JSON.stringify(termsOf({ ...card, ...terms }));

/** Reason for each card that is not changed, by card id. */
const refuse = (ids: readonly number[], cards: readonly Card[], terms: Change | undefined, now: number): Map<number, Text> => {
  const refusals = new Map<number, Text>();
  for (const id of ids) {
    const card = cards.find((c) => c.id === id);
    if (!card) refusals.set(id, errors.not_found.text);
    else if (card.status !== 'unused' || card.expire_at <= now) refusals.set(id, errors.card_not_changeable.text);
    else if (terms && isSame(card, terms)) refusals.set(id, errors.unchanged.text);
  }
  return refusals;
};

const changeTerms = (ctx: Ctx, cards: readonly Card[], terms: Change) =>
  ctx.db
    .updateTable('recharge_card')
    .set(terms)
    .where('id', 'in', [...cards.map((card) => card.id), 0])
    .execute();

/** Changes or voids the unused cards of a selection; each other card gets a reason in the reply. */
export const changeCards: Handler<typeof calls.change> = async (ctx, input) => {
  const { ids, status, expire_at, remark } = input;
  const requested = { expire_at: expire_at ?? 0, ...(remark !== undefined && { remark }) };
  const terms = status === 'disabled' ? undefined : { ...requested, ...(await bindingOf(ctx, input)) };
  const { rules, cards } = await lockCards(ctx, ids);
  if (cards.length === 0) throw fail('not_found');
  const refusals = refuse(ids, cards, terms, ctx.now());
  const reasons = [...refusals.values()];
  if (reasons.length === ids.length && reasons.every((text) => text === errors.unchanged.text)) throw fail('unchanged');
  const taken = cards.filter((card) => !refusals.has(card.id));
  if (terms) await changeTerms(ctx, taken, terms);
  else await voidCards(ctx, rules, taken);
  if (taken.length > 0)
    record(ctx, content(!terms, taken), {
      before: Object.fromEntries(taken.map((card) => [card.number, terms ? termsOf(card) : card.status])),
      after: terms ?? { status: 'disabled' },
    });
  const left = cards.filter((card) => refusals.has(card.id));
  if (left.length > 0) record(ctx, content(!terms, left), { message: refusals.get(left[0]?.id ?? 0) });
  return resultOf(ctx, ids, refusals);
};
