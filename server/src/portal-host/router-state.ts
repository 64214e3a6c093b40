import { subscriberQuota } from '../domain/portal/subscriber-quota.ts';
import type { Deps } from '../kit/deps.ts';
import type { PortalSession } from './session.ts';

interface Client {
  readonly deps: Pick<Deps, 'db' | 'clock'>;
  readonly session: PortalSession | undefined;
}

/** The session of this client on its router. What a router said proves no MAC, so it must be one of the subscriber who is logged in. */
export const openOnRouter = async ({ deps: { db }, session }: Client) =>
  session?.router == null || session.subscriber_id === null
    ? undefined
    : db
        .selectFrom('online_session')
        .select(['id', 'subscriber_id'])
        .where('subscriber_id', '=', session.subscriber_id)
        .where('nas_id', '=', session.nas_id)
        .where((eb) => eb(eb.fn('lower', ['mac']), '=', session.router?.mac ?? ''))
        .where('logout_at', 'is', null)
        .executeTakeFirst();

/** Whether the router of this client can let the subscriber in: the account is of its VNO and has service. */
export const canConnect = async (
  { deps: { db, clock }, session }: Client,
  { id, agent_id }: { readonly id: number; readonly agent_id: number },
): Promise<boolean> => {
  if (session?.router == null || session.agent_id !== agent_id) return false;
  const blocked = (await subscriberQuota(db, id, clock.now()))?.blocked;
  // A NAS of another maker serves accounts that are bound to no gateway.
  return blocked === null || blocked === 'unbound';
};

/** Whether the subscriber who is logged in is not online yet, and the router can let the client in. */
export const isWaitingForRouter = async (client: Client): Promise<boolean> => {
  const { deps, session } = client;
  if (session?.router == null || session.subscriber_id === null || (await openOnRouter(client))) return false;
  const { subscriber_id } = session;
  const row = await deps.db.selectFrom('subscriber').select(['id', 'agent_id']).where('id', '=', subscriber_id).executeTakeFirst();
  return row !== undefined && canConnect(client, row);
};
