import { errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { FastifyReply } from 'fastify';
import { connectClient } from './access.ts';
import { forgetFailures, type Guard, guardOf, noteFailure, refusalOf } from './failures.ts';
import { fieldOf, formOf } from './form.ts';
import { sendHome } from './home.ts';
import { endSession, openSession, setSubscriber } from './session.ts';
import { findByAccount, isPasswordOf, type SubscriberRow } from './subscriber.ts';
import { messageData, newCaptcha, redirectTo, type Visit } from './visit.ts';

/** Shows the home page with a refused form again. */
export const refuseForm = async (
  visit: Visit,
  { names }: Guard,
  text: Text,
  status: number,
  value: Readonly<Record<string, string>>,
): Promise<FastifyReply> => {
  const needs = (await guardOf(visit, names)).isCaptchaNeeded;
  return sendHome(visit, { ...messageData(text, visit.lang, true), value, ...(needs && newCaptcha(visit)) }, status);
};

/** Replies with the reason if an attempt may not be checked. Returns a boolean, because awaiting a reply object gives undefined. */
export const isRefusedEarly = async (visit: Visit, guard: Guard, form: URLSearchParams, value: Readonly<Record<string, string>>) => {
  const early = await refusalOf(visit, guard, form);
  if (early) await refuseForm(visit, guard, early, guard.lockedMinutes > 0 ? 429 : 422, value);
  return early !== undefined;
};

/**
 * Logs a subscriber in. The session gets a new token, so that a token from before the login is invalid. The gateway of the client
 * opens its access.
 */
export const logIn = async (visit: Visit, subscriber: SubscriberRow): Promise<Visit> => {
  const { deps, session, isProxied } = visit;
  const now = deps.clock.now();
  if (session && isProxied) {
    await setSubscriber(deps.db, session.id, subscriber.id, now);
    return { ...visit, session: { ...session, subscriber_id: subscriber.id, login_at: now } };
  }
  const client =
    session?.device_id != null && session.mac !== null
      ? { device_id: session.device_id, mac: session.mac, ip: session.ip ?? '' }
      : undefined;
  const token = await openSession(deps.db, { agent_id: visit.agent.id, client, ip: visit.request.ip, subscriber_id: subscriber.id }, now);
  if (session) await endSession(deps.db, session.id);
  return { ...visit, token };
};

export const enter = async (visit: Visit, subscriber: SubscriberRow, guard: Guard): Promise<FastifyReply> => {
  await forgetFailures(visit, guard);
  const inside = await logIn(visit, subscriber);
  await connectClient(visit, subscriber);
  return redirectTo(inside, '');
};

/** Other guesses run at the same time, so the lock is checked again after the password. */
export const isLocked = async (visit: Visit, { names }: Guard) => (await guardOf(visit, names)).lockedMinutes > 0;

export const login = async (visit: Visit): Promise<FastifyReply> => {
  const form = formOf(visit.request);
  const [account, password] = [fieldOf(form, 'account', 64).trim(), fieldOf(form, 'password', 64)];
  const guard = await guardOf(visit, [`account ${account.toLowerCase()}`]);
  const value = { account };
  if (await isRefusedEarly(visit, guard, form, value)) return visit.reply;
  const row = await findByAccount(visit, account);
  const isRight = isPasswordOf(visit, row, password);
  if (!isRight) await noteFailure(visit, guard);
  if (!isRight || !row || (await isLocked(visit, guard))) return refuseForm(visit, guard, errors.wrong_password.text, 401, value);
  return enter(visit, row, guard);
};
