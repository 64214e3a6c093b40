import { authCalls } from '@farlink/contract/auth/auth.ts';
import { check } from '@farlink/contract/kit/check.ts';
import { defaultPasswordRule } from '@farlink/contract/kit/password-rule.ts';
import { say, type Text } from '@farlink/contract/kit/text.ts';
import { zonedTime } from '@farlink/contract/kit/zone.ts';
import type { FastifyReply } from 'fastify';
import { kickSessions } from '../domain/subscriber/kick-sessions.ts';
import { fail } from '../kit/fail.ts';
import { writeLog } from '../kit/log/record.ts';
import { seal } from '../kit/session/secret.ts';
import { beginAttempt, succeed } from './attempts.ts';
import { fieldOf, formOf } from './form.ts';
import { sendHome } from './home.ts';
import { showLogoff } from './router-connect.ts';
import { endSession, setSubscriber } from './session.ts';
import { actorOf, isPasswordOf, loggedInSubscriber, type SubscriberRow } from './subscriber.ts';
import { texts } from './texts.ts';
import { contextOf, messageData, redirectTo, sendPage, type Visit } from './visit.ts';

export const showPassword = async (visit: Visit): Promise<FastifyReply> => {
  const { account } = await loggedInSubscriber(visit);
  return sendPage(visit, 'password', { account });
};

/** Reasons to refuse the new password, by field. */
const passwordFaults = (form: URLSearchParams, now: number): Record<string, Text> => {
  const old = fieldOf(form, 'old_password');
  const password = fieldOf(form, 'password');
  const again = fieldOf(form, 'password_again');
  const { errors } = check({ password: authCalls.register.input.password }, { password }, { passwordRule: defaultPasswordRule, now });
  if (errors.password) return errors;
  if (password === old) return { password: texts.sameAsOld };
  return password === again ? {} : { password_again: texts.notSame };
};

/** The change ends all logins with the old password, except this one. It reaches the gateways by the triggers of accounts. */
const storePassword = (visit: Visit, subscriber: SubscriberRow, password: string) => {
  const { deps, session } = visit;
  const now = deps.clock.now();
  return deps.db.transaction().execute(async (db) => {
    const { numUpdatedRows } = await db
      .updateTable('subscriber')
      .set((eb) => ({ password: seal(deps.config.secretKey, password), update_at: now, version: eb('version', '+', 1) }))
      .where('id', '=', subscriber.id)
      // Another request may have changed it since it was checked.
      .where('password', '=', subscriber.password)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw fail('stale');
    if (session) await setSubscriber(db, session.id, subscriber.id, now);
    await writeLog(db, actorOf(subscriber), contextOf(visit), {
      module: 'user',
      action: 'update',
      content: [
        `用户 ${subscriber.account} 在门户修改上网密码`,
        `Subscriber ${subscriber.account} changed the internet password in the portal`,
      ],
      after: { password: 'new' },
      subject: `subscriber:${subscriber.id}`,
    });
  });
};

export const changePassword = async (visit: Visit): Promise<FastifyReply> => {
  const subscriber = await loggedInSubscriber(visit);
  const form = formOf(visit.request);
  const refuse = (faults: Record<string, Text>, status = 422) => {
    const error = Object.fromEntries(Object.entries(faults).map(([name, text]) => [name, say(text, visit.lang)]));
    return sendPage(visit, 'password', { account: subscriber.account, error }, status);
  };
  const faults = passwordFaults(form, visit.deps.clock.now());
  if (Object.keys(faults).length > 0) return refuse(faults);
  // The old password could be guessed here too. Only a session of the subscriber can use up these attempts.
  const attempt = await beginAttempt(visit, { session: `password ${subscriber.id}` });
  if (attempt.refusal) return refuse({ old_password: attempt.refusal.text }, attempt.refusal.status);
  if (!isPasswordOf(visit, subscriber, fieldOf(form, 'old_password'))) return refuse({ old_password: texts.wrongOld });
  await succeed(visit, attempt);
  await storePassword(visit, subscriber, fieldOf(form, 'password'));
  return sendHome(visit, messageData(texts.passwordChanged, visit.lang));
};

const sessionsOf = ({ deps: { db } }: Visit, subscriberId: number) =>
  db
    .selectFrom('online_session')
    .select(['id', 'mac', 'ip', 'login_at', 'device_id', 'nas_id', 'session_id'])
    .where('subscriber_id', '=', subscriberId)
    .where('logout_at', 'is', null)
    .orderBy('login_at', 'desc')
    .limit(50)
    .execute();

type OpenSession = Awaited<ReturnType<typeof sessionsOf>>[number];

const isThis = ({ session }: Visit, { mac, device_id, nas_id }: Pick<OpenSession, 'mac' | 'device_id' | 'nas_id'>) => {
  if (session?.router != null) return nas_id === session.nas_id && mac?.toLowerCase() === session.router.mac;
  return session?.mac != null && mac?.toLowerCase() === session.mac && device_id === session.device_id;
};

export const showDevices = async (visit: Visit, more: Pick<Parameters<typeof sendPage>[2], 'message' | 'isError'> = {}) => {
  const subscriber = await loggedInSubscriber(visit);
  const sessions = (await sessionsOf(visit, subscriber.id)).map((one) => ({
    id: String(one.id),
    mac: one.mac ?? '',
    ip: one.ip ?? '',
    since: zonedTime(one.login_at),
    isThis: isThis(visit, one),
  }));
  return sendPage(visit, 'devices', { account: subscriber.account, sessions, ...more });
};

/** A page of the console sends the row id of a session; a page of the gateway sends the session id of the gateway. */
const sessionIdOf = (form: URLSearchParams) => fieldOf(form, 'session', 64);

/** Ends one session of the own account, or the own session and the login. */
export const logout = async (visit: Visit): Promise<FastifyReply> => {
  const subscriber = await loggedInSubscriber(visit);
  const sessionId = sessionIdOf(formOf(visit.request));
  const { deps, session } = visit;
  const open = await sessionsOf(visit, subscriber.id);
  const chosen = open.filter((one) =>
    sessionId === '' ? isThis(visit, one) : String(one.id) === sessionId || one.session_id === sessionId,
  );
  if (sessionId !== '' && chosen.length === 0) throw fail('not_found');
  await deps.db.transaction().execute(async (db) => {
    await db.selectFrom('subscriber').select('id').where('id', '=', subscriber.id).forUpdate().execute();
    for (const { id } of chosen) await kickSessions(db, { session: id }, { now: deps.clock.now() });
  });
  if (sessionId !== '') return showDevices(visit, messageData(texts.deviceOut, visit.lang));
  if (session && visit.isProxied) await setSubscriber(deps.db, session.id, null, deps.clock.now());
  else if (session) await endSession(deps.db, session.id);
  return session?.router ? showLogoff(visit, session.router) : redirectTo(visit, '', undefined);
};
