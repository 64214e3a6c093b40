import { errors } from '@farlink/contract/errors.ts';
import { priceText } from '@farlink/contract/kit/money.ts';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import type { FastifyReply } from 'fastify';
import { type CardSecret, plainCard } from '../domain/card/card-number.ts';
import { findCard, redeemCardFor } from '../domain/card/redeem-card.ts';
import { nameForSubscriber } from '../domain/package/name-for-subscriber.ts';
import { refuseBlocked, stateOf } from '../domain/portal/portal-offers.ts';
import { refusePortalRecharge } from '../domain/subscriber/refuse-recharge.ts';
import type { Db } from '../kit/deps.ts';
import { fail, Refusal } from '../kit/fail.ts';
import { writeLog } from '../kit/log/record.ts';
import { connectClient } from './access.ts';
import { type Attempt, beginAttempt, succeed, withdraw } from './attempts.ts';
import { fieldOf, formOf } from './form.ts';
import { sendHome } from './home.ts';
import { enter, refuseForm } from './login.ts';
import { actorOf, findByAccount, isPasswordOf, type SubscriberRow, subscriberOf } from './subscriber.ts';
import { texts } from './texts.ts';
import { contextOf, messageData, type Visit } from './visit.ts';

/** Whether this is a recharge card with its password. Nothing is changed. */
const isRechargeCard = async ({ deps: { db, config } }: Visit, card: CardSecret): Promise<boolean> => {
  try {
    await db.transaction().execute((inside) => findCard(inside, config.secretKey, card));
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
};

/** A temporary card is an account with its number as name. A recharge card needs an account that it is redeemed for. */
const cardLogin = async (visit: Visit, attempt: Attempt, typed: CardSecret, found: SubscriberRow | undefined): Promise<FastifyReply> => {
  const row = found?.account_type === 'temp_card' ? found : undefined;
  const isRight = isPasswordOf(visit, row, typed.password);
  const value = { card_no: typed.number };
  if (row && isRight) return enter(visit, row, attempt);
  // Read for each card, so that replies for known and unknown cards take the same time.
  if (!(await isRechargeCard(visit, plainCard(typed))))
    return refuseForm(visit, attempt, { text: errors.card_wrong.text, status: 422 }, value);
  await withdraw(visit, attempt);
  return refuseForm(visit, attempt, { text: texts.cardLoginFirst, status: 422 }, value);
};

/** Locks the subscriber, and refuses one that cannot use the card. */
const lockBuyer = async (db: Db, id: number, now: number): Promise<SubscriberRow> => {
  const row = await db.selectFrom('subscriber').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw fail('session_ended');
  await refuseBlocked(db, row, now);
  refusePortalRecharge(row, await stateOf(db, id), now);
  return row;
};

const redeem = (visit: Visit, subscriber: SubscriberRow, card: CardSecret) => {
  const { deps } = visit;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (db) => {
    const done = await redeemCardFor(db, deps.config.secretKey, card, {
      subscriber: () => lockBuyer(db, subscriber.id, now),
      by: { customer_id: null, operator: subscriber.account },
      now,
    });
    await writeLog(db, actorOf(subscriber), contextOf(visit), {
      module: 'user',
      action: 'update',
      content: [`在门户使用充值卡 ${done.number}`, `Redeemed card ${done.number} in the portal`],
      after: done.after,
      subject: `subscriber:${subscriber.id}`,
    });
    return done;
  });
};

const sameText = (text: string): Text => [text, text];

const redeemHere = async (visit: Visit, subscriber: SubscriberRow, attempt: Attempt, typed: CardSecret): Promise<FastifyReply> => {
  try {
    const redeemed = await redeem(visit, subscriber, plainCard(typed));
    await succeed(visit, attempt);
    await connectClient(visit, subscriber);
    const got: Text = redeemed.package
      ? sameText(nameForSubscriber(redeemed.package.name, visit.agent.name))
      : fill(texts.balance, priceText(redeemed.received));
    return await sendHome(visit, messageData(fill(texts.redeemed, got), visit.lang));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.reason !== 'card_wrong') await withdraw(visit, attempt);
    return refuseForm(visit, attempt, { text: error.text, status: errors[error.reason].status }, { card_no: typed.number });
  }
};

/** Logs in with a card, or redeems it for the subscriber who is logged in. */
export const useCard = async (visit: Visit): Promise<FastifyReply> => {
  const form = formOf(visit.request);
  const typed = { number: fieldOf(form, 'card_no', 32).trim(), password: fieldOf(form, 'card_password', 32) };
  const subscriber = await subscriberOf(visit);
  const found = subscriber ? undefined : await findByAccount(visit, typed.number);
  const target = {
    typed: `card ${typed.number.toLowerCase()}`,
    owner: found?.id,
    // Guesses of many numbers count for the subscriber who makes them.
    session: subscriber && `redeemer ${subscriber.id}`,
  };
  const attempt = await beginAttempt(visit, target, form);
  if (attempt.refusal) return refuseForm(visit, attempt, attempt.refusal, { card_no: typed.number });
  return subscriber ? redeemHere(visit, subscriber, attempt, typed) : cardLogin(visit, attempt, typed, found);
};
