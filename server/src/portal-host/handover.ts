import { claimedSn, type Handover, openHandover } from '@farlink/gateway/protocol/portal.ts';
import { sql } from 'kysely';
import { portalKeyOf } from '../domain/portal/portal-key.ts';
import type { Deps } from '../kit/deps.ts';
import type { PortalAgent } from './agents.ts';

export interface ProvenClient {
  readonly handover: Handover;
  readonly device: { readonly id: number; readonly agent_id: number; readonly sn: string };
}

const maxLength = 2000;

/** Data of a client, signed by a gateway of this VNO or of one below it. Undefined: wrong signature, or too old. */
export const readHandover = async (deps: Deps, portal: PortalAgent, signed: unknown): Promise<ProvenClient | undefined> => {
  if (typeof signed !== 'string' || signed.length > maxLength) return undefined;
  const sn = claimedSn(signed);
  if (sn === undefined) return undefined;
  const device = await deps.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.id', 'device.agent_id', 'device.sn'])
    .where('device.sn', '=', sn)
    .where(sql<boolean>`starts_with(agent.path, ${portal.path})`)
    .executeTakeFirst();
  const key = device && (await portalKeyOf(deps.db, deps.config, device.id));
  const handover = key && openHandover(key, signed, deps.clock.now());
  return device && handover ? { handover, device } : undefined;
};

/** The subscriber whose session the gateway has reported for this client. */
export const reportedSubscriber = async ({ db }: Deps, { handover, device }: ProvenClient): Promise<number | null> => {
  if (handover.sid === undefined || handover.acc === undefined) return null;
  const session = await db
    .selectFrom('online_session')
    .innerJoin('subscriber', 'subscriber.id', 'online_session.subscriber_id')
    .select('subscriber.id')
    .where('online_session.device_id', '=', device.id)
    .where('online_session.session_id', '=', handover.sid)
    .where('online_session.logout_at', 'is', null)
    .where((eb) => eb(eb.fn('lower', ['subscriber.account']), '=', (handover.acc ?? '').toLowerCase()))
    .executeTakeFirst();
  return session?.id ?? null;
};
