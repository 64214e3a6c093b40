import { createHash, timingSafeEqual } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import type { SubscriberTable } from '../db/tables.ts';
import { fail } from '../kit/fail.ts';
import { open, seal } from '../kit/session/secret.ts';
import type { Visit } from './visit.ts';

export type SubscriberRow = Selectable<SubscriberTable>;

const digest = (text: string) => createHash('sha256').update(text).digest();

/** Compares in constant time. An unknown account takes the same work. */
export const isPasswordOf = ({ deps: { config } }: Visit, row: Pick<SubscriberRow, 'password'> | undefined, password: string): boolean => {
  const sealed = row?.password ?? seal(config.secretKey, 'unknown account');
  let stored = '';
  try {
    stored = open(config.secretKey, sealed);
  } catch {
    // A password that cannot be opened matches nothing.
    return false;
  }
  const isRight = timingSafeEqual(digest(stored), digest(password));
  return row !== undefined && isRight;
};

/** An account of this VNO or of one below it. Others are unknown here. */
export const findByAccount = ({ deps: { db }, agent }: Visit, account: string): Promise<SubscriberRow | undefined> =>
  db
    .selectFrom('subscriber')
    .innerJoin('agent', 'agent.id', 'subscriber.agent_id')
    .selectAll('subscriber')
    .where((eb) => eb(eb.fn('lower', ['subscriber.account']), '=', account.toLowerCase()))
    .where(sql<boolean>`starts_with(agent.path, ${agent.path})`)
    .executeTakeFirst();

/** The subscriber who is logged in; undefined: no login. */
export const subscriberOf = async ({ deps: { db }, session }: Visit): Promise<SubscriberRow | undefined> =>
  session?.subscriber_id == null
    ? undefined
    : db.selectFrom('subscriber').selectAll().where('id', '=', session.subscriber_id).executeTakeFirst();

/** The subscriber who is logged in, or a refusal that leads to the login. */
export const loggedInSubscriber = async (visit: Visit): Promise<SubscriberRow> => {
  const found = await subscriberOf(visit);
  if (!found) throw fail('session_ended');
  return found;
};

/** Identity of a subscriber in the operator log. */
export const actorOf = ({ agent_id, account, name }: SubscriberRow) => ({
  agent_id,
  uid: null,
  username: account,
  name,
  acted_by: null,
});
