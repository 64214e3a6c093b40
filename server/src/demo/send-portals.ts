import { type SqlBool, sql } from 'kysely';
import { incompatibilityOf, lockReceiver, orderPortal } from '../domain/portal/send-portal.ts';
import type { Deps } from '../kit/deps.ts';

/** Sends its portal, or the default one of its VNO, to each simulated gateway at the first start. */
export const sendDemoPortals = async ({ db, config }: Pick<Deps, 'db' | 'config'>, ids: readonly number[], now: number) => {
  const devices = await db
    .selectFrom('device')
    .select(['id', 'agent_id', 'portal_id'])
    .where('id', 'in', [...ids, -1])
    .where(sql<SqlBool>`not exists (select from portal_task t where t.device_id = device.id)`)
    .execute();
  for (const { id, agent_id, portal_id } of devices) {
    const portal = await db
      .selectFrom('portal')
      .innerJoin('agent', 'agent.id', 'portal.agent_id')
      .select(['portal.id', 'portal.name', 'portal.rev', 'portal.billing_type', 'agent.path'])
      .where((eb) => (portal_id === null ? eb('portal.agent_id', '=', agent_id) : eb('portal.id', '=', portal_id)))
      .orderBy('portal.is_default', 'desc')
      .orderBy('portal.id')
      .executeTakeFirst();
    // Simulated gateways support portals; their first hello confirms it.
    await sql`update device set caps = array_append(caps, 'portal') where id = ${id} and not 'portal' = any(caps)`.execute(db);
    const receiver = await lockReceiver(db, id);
    if (!portal || !receiver || incompatibilityOf(portal, receiver)) continue;
    await orderPortal({ db, config }, portal, receiver, { send_mode: 'immediate', send_at: now, operator: 'admin' }, now);
  }
};
