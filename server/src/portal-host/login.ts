import { errors } from '@farlink/contract/errors.ts';
import type { FastifyReply } from 'fastify';
import { connectClient } from './access.ts';
import { type Attempt, beginAttempt, succeed } from './attempts.ts';
import { fieldOf, formOf } from './form.ts';
import { sendHome } from './home.ts';
import { noteClient } from './known-client.ts';
import { canConnect } from './router-state.ts';
import { endSession, openSession, setSubscriber } from './session.ts';
import { findByAccount, isPasswordOf, type SubscriberRow } from './subscriber.ts';
import { messageData, newCaptcha, redirectTo, type Visit } from './visit.ts';

/** Shows the home page with a refused form again. */
export const refuseForm = (
  visit: Visit,
  { isCaptchaNext }: Pick<Attempt, 'isCaptchaNext'>,
  { text, status }: NonNullable<Attempt['refusal']>,
  value: Readonly<Record<string, string>>,
): Promise<FastifyReply> =>
  sendHome(visit, { ...messageData(text, visit.lang, true), value, ...(isCaptchaNext && newCaptcha(visit)) }, status);

/**
 * Logs a subscriber in. The session gets a new token, so that a token from before the login is invalid. The gateway of the client
 * opens its access.
 */
export const logIn = async (visit: Visit, subscriber: SubscriberRow): Promise<Visit> => {
  const { deps, session, isProxied } = visit;
  const now = deps.clock.now();
  await noteClient(visit, subscriber.id);
  if (session && isProxied) {
    await setSubscriber(deps.db, session.id, subscriber.id, now);
    return { ...visit, session: { ...session, subscriber_id: subscriber.id, login_at: now } };
  }
  const client =
    session?.device_id != null && session.mac !== null
      ? { device_id: session.device_id, mac: session.mac, ip: session.ip ?? '' }
      : undefined;
  const router = session?.nas_id != null && session.router !== null ? { nas_id: session.nas_id, login: session.router } : undefined;
  const token = await openSession(
    deps.db,
    { agent_id: visit.agent.id, client, router, ip: visit.request.ip, subscriber_id: subscriber.id },
    now,
  );
  if (session) await endSession(deps.db, session.id);
  return { ...visit, token };
};

/** The first page of a subscriber who has logged in. A router of another maker is asked to let the client in. */
export const showInside = async (visit: Visit, subscriber: SubscriberRow): Promise<FastifyReply> =>
  redirectTo(visit, (await canConnect(visit, subscriber)) ? 'connect' : '');

export const enter = async (visit: Visit, subscriber: SubscriberRow, attempt: Attempt): Promise<FastifyReply> => {
  await succeed(visit, attempt);
  const inside = await logIn(visit, subscriber);
  await connectClient(visit, subscriber);
  return showInside(inside, subscriber);
};

export const login = async (visit: Visit): Promise<FastifyReply> => {
  const form = formOf(visit.request);
  const account = fieldOf(form, 'account', 64).trim();
  const password = fieldOf(form, 'password', 64);
  const row = await findByAccount(visit, account);
  const attempt = await beginAttempt(visit, { typed: `account ${account.toLowerCase()}`, owner: row?.id }, form);
  const value = { account };
  if (attempt.refusal) return refuseForm(visit, attempt, attempt.refusal, value);
  const isRight = isPasswordOf(visit, row, password);
  return row && isRight ? enter(visit, row, attempt) : refuseForm(visit, attempt, { text: errors.wrong_password.text, status: 401 }, value);
};
