import { hashToken } from '../kit/session/secret.ts';
import { clientOf, type Visit } from './visit.ts';

/** Whether this client has logged in to the account before. An unknown account takes the same query. */
export const isKnownClient = async (visit: Visit, subscriberId = 0): Promise<boolean> => {
  const row = await visit.deps.db
    .selectFrom('portal_known_client')
    .select('login_at')
    .where('subscriber_id', '=', subscriberId)
    .where('client_hash', '=', hashToken(clientOf(visit)))
    .executeTakeFirst();
  return row !== undefined;
};

export const noteClient = (visit: Visit, subscriber_id: number) => {
  const login_at = visit.deps.clock.now();
  return visit.deps.db
    .insertInto('portal_known_client')
    .values({ subscriber_id, client_hash: hashToken(clientOf(visit)), login_at })
    .onConflict((oc) => oc.columns(['subscriber_id', 'client_hash']).doUpdateSet({ login_at }))
    .execute();
};
