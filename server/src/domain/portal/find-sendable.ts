import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';
import type { SendablePortal } from './send-portal.ts';

/** A portal that the session sees. */
export const findSendable = (ctx: Ctx, id: number): Promise<SendablePortal | undefined> =>
  ctx.db
    .selectFrom('portal')
    .innerJoin('agent', 'agent.id', 'portal.agent_id')
    .select(['portal.id', 'portal.name', 'portal.rev', 'portal.billing_type', 'agent.path'])
    .where('portal.id', '=', id)
    .where(inScope(ctx.me, 'portal.agent_id'))
    .executeTakeFirst();
