import { createHash, timingSafeEqual } from 'node:crypto';
import { cardStatus } from '@farlink/contract/card/choices.ts';
import { cents } from '@farlink/contract/kit/money.ts';
import { limits } from '@farlink/contract/limits.ts';
import { type Selectable, sql } from 'kysely';
import type { Database } from '../../db/tables.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { Db } from '../../kit/deps.ts';
import { fail, Refusal } from '../../kit/fail.ts';
import type { Charged } from '../../kit/list/batch.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { countAttempt, returnAttempt } from '../../kit/session/attempts.ts';
import { open, seal } from '../../kit/session/secret.ts';
import { refuseUnbound } from '../access/unbound.ts';
import { postSale, type Sale, type Seller } from '../ledger/post-sale.ts';
import { grantPackages, packageGrantsOf } from '../metering/store/grant-packages.ts';
import { refuseNotOffered } from '../package/find-package.ts';
import { type CardSecret, isCardNumber, newCards, plainCard } from './card-number.ts';

type Card = Selectable<Database['recharge_card']>;
type Rule = Selectable<Database['card_rule']>;
type Subscriber = Selectable<Database['subscriber']>;

/** Limits guessing: each try is counted before the card is read, and given back unless the card was wrong. */
const withTry = async <T>({ deps, me, now }: Ctx, work: () => Promise<T>): Promise<T> => {
  const limit = { name: `card ${me.uid}`, max: limits.cardTries, windowS: limits.cardTriesS };
  if ((await countAttempt(deps.db, limit, now())).waitS > 0) throw fail('too_many');
  try {
    const result = await work();
    await returnAttempt(deps.db, limit);
    return result;
  } catch (error) {
    if (!(error instanceof Refusal && error.reason === 'card_wrong')) await returnAttempt(deps.db, limit);
    throw error;
  }
};

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Lock order: the batch before the card. An unknown card runs the same queries as a known one. */
const lockCard = async (db: Db, number: string): Promise<{ card: Card; rule: Rule } | undefined> => {
  if (!isCardNumber(number)) return undefined;
  const found = await db.selectFrom('recharge_card').select(['id', 'rule_id']).where('number', '=', number).executeTakeFirst();
  const { id, rule_id } = found ?? { id: 0, rule_id: 0 };
  const rule = await db.selectFrom('card_rule').selectAll().where('id', '=', rule_id).forNoKeyUpdate().executeTakeFirst();
  const card = await db.selectFrom('recharge_card').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return card && rule ? { card, rule } : undefined;
};

/** Same reply and same amount of work for a wrong number and a wrong password. */
export const findCard = async (db: Db, secretKey: Buffer, secret: CardSecret) => {
  const { number, password } = plainCard(secret);
  const found = await lockCard(db, number);
  const sealed = found?.card.password ?? seal(secretKey, newCards(1)[0]?.password ?? '');
  const isPasswordRight = timingSafeEqual(digest(open(secretKey, sealed)), digest(password));
  if (!found || !isPasswordRight) throw fail('card_wrong');
  return found;
};

const refuseUnusable = ({ status, expire_at }: Card, now: number) => {
  if (status === 'used') throw fail('card_used');
  if (status === 'disabled') throw fail('card_void');
  if (status === 'expired' || expire_at <= now) throw fail('card_expired');
};

const findSubscriber = async (ctx: Ctx, id: number): Promise<Subscriber> => {
  const subscriber = await ctx.db
    .selectFrom('subscriber')
    .selectAll()
    .where('id', '=', id)
    .where(inScope(ctx.me, 'subscriber.agent_id', 'subscriber.device_id'))
    .forUpdate()
    .executeTakeFirst();
  if (!subscriber) throw fail('not_found');
  return subscriber;
};

/** A card is valid for the VNO that issued it and the VNOs below it, limited to its bound devices or groups. */
const refuseElsewhere = async (db: Db, card: Card, subscriber: Subscriber) => {
  const { rows } = await sql<{ below: boolean; group_id: number | null }>`
    select s.path like c.path || '%' as below, coalesce(${subscriber.device_group_id}::bigint, d.device_group_id) as group_id
    from agent s cross join agent c left join device d on d.id = ${subscriber.device_id}
    where s.id = ${subscriber.agent_id} and c.id = ${card.agent_id}`.execute(db);
  const [binding] = rows;
  const isBoundElsewhere =
    (card.device_id !== null && card.device_id !== subscriber.device_id) ||
    (card.device_group_id !== null && card.device_group_id !== binding?.group_id);
  if (!binding?.below || isBoundElsewhere) throw fail('card_not_here');
};

/** The package of a package card, if it can still be granted to this subscriber. */
const packageFor = async (db: Db, id: number, subscriber: Subscriber, now: number) => {
  const found = await db.selectFrom('package').selectAll().where('id', '=', id).executeTakeFirst();
  if (!found || (found.expire_at !== null && found.expire_at <= now)) throw fail('card_package_missing');
  await refuseUnbound(db, subscriber);
  await refuseNotOffered(db, found, subscriber);
  if (subscriber.account_type === 'temp_card' && found.cycle_length !== null) throw fail('temp_card_periodic');
  return found;
};

const spend = async (db: Db, card: Card, subscriber: Subscriber, now: number) => {
  await db
    .updateTable('recharge_card')
    .set({ status: cardStatus.to('redeem'), used_at: now, subscriber_id: subscriber.id, used_user: subscriber.account })
    .where('id', '=', card.id)
    .execute();
  await db.updateTable('card_rule').set({ used_count: sql`used_count + 1` }).where('id', '=', card.rule_id).execute();
};

interface Redemption {
  /** Locks the subscriber after the card, and refuses one that the caller may not charge. */
  readonly subscriber: () => Promise<Subscriber>;
  readonly by: Pick<Seller, 'customer_id' | 'operator'>;
  readonly now: number;
}

/**
 * Redeems a card for a subscriber, in the caller's transaction: the amount is added to the balance, or the packages are granted. It is
 * posted in the ledger of the VNO that issued the card. Of concurrent tries, one succeeds. The caller limits guessing.
 */
export const redeemCardFor = async (db: Db, secretKey: Buffer, secret: CardSecret, { subscriber: find, by, now }: Redemption) => {
  const { card, rule } = await findCard(db, secretKey, secret);
  refuseUnusable(card, now);
  const subscriber = await find();
  await refuseElsewhere(db, card, subscriber);
  const bought = rule.package_id === null ? undefined : await packageFor(db, rule.package_id, subscriber, now);
  const count = rule.period ?? 1;
  await spend(db, card, subscriber, now);
  const sale: Sale = {
    cause: `card:${card.id}`,
    channel: 'card',
    expense_type: 'recharge',
    pay_method: null,
    income: rule.denomination,
    into: bought ? 'revenue' : 'balance',
    buyer: subscriber,
    package: bought,
    count,
    card_id: card.id,
  };
  const { bill_no } = await postSale(db, { agent_id: card.agent_id, ...by }, sale, now);
  if (bought) {
    const grant = { subscriber_id: subscriber.id, agent_id: subscriber.agent_id, package_id: bought.id, count };
    await grantPackages(db, packageGrantsOf(grant, cents(rule.denomination)), now);
  }
  const after = { number: card.number, denomination: rule.denomination, ...(bought && { package_name: bought.name, period: count }) };
  return { bill_no, received: rule.denomination, number: card.number, subscriber, package: bought, after };
};

/** Redeems a card for a subscriber of the operator's scope. */
export const redeemCard = async (ctx: Ctx, input: CardSecret & { readonly subscriber_id: number }): Promise<Charged> => {
  const redemption = {
    subscriber: () => findSubscriber(ctx, input.subscriber_id),
    by: { customer_id: ctx.me.uid, operator: ctx.me.name },
    now: ctx.now(),
  };
  const redeem = () => redeemCardFor(ctx.db, ctx.deps.config.secretKey, input, redemption);
  const { bill_no, received, number, subscriber, after } = await withTry(ctx, redeem);
  record(ctx, [`使用充值卡 ${number} 为 ${subscriber.account} 充值`, `Recharged ${subscriber.account} with card ${number}`], {
    subject: `subscriber:${subscriber.id}`,
    after,
  });
  return { bill_no, received };
};
