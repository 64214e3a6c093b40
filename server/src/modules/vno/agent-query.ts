import type { Ctx } from '../../kit/ctx.ts';
import { inScope } from '../../kit/list/scope.ts';

/** VNOs in scope under the column names of the contract. A parent out of scope has no name. */
export const agentQuery = (ctx: Ctx) =>
  ctx.db
    .selectFrom('agent')
    .leftJoin('agent as parent', 'parent.id', 'agent.parent_id')
    .leftJoin('prefix', 'prefix.id', 'agent.prefix_id')
    .leftJoin('customer as owner', (j) => j.onRef('owner.agent_id', '=', 'agent.id').on('owner.is_owner', '=', true))
    .select((eb) => [
      'agent.id',
      'agent.version',
      'agent.name',
      'owner.username',
      'agent.code',
      'agent.third_id',
      'agent.agent_level',
      'agent.contacts',
      'agent.phone',
      'agent.email',
      'prefix.prefix as account_prefix',
      'agent.agent_mode',
      'agent.agent_child_enable',
      'agent.enrol_auto',
      'agent.introduction',
      'agent.create_at',
      'agent.role_id',
      'agent.path',
      'agent.device_count',
      'agent.card_count',
      eb.case().when(inScope(ctx.me, 'parent.id')).then(eb.ref('parent.name')).end().as('parent_name'),
      eb.case().when('agent.id', '=', ctx.me.agent_id).then(null).else(eb.ref('agent.parent_id')).end().as('parent_id'),
      eb
        .selectFrom('agent as child')
        .whereRef('child.parent_id', '=', 'agent.id')
        .select((c) => c.fn.countAll<number>().as('n'))
        .as('child_count'),
    ])
    .where(inScope(ctx.me, 'agent.id'));
