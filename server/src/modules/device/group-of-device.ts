import { errors } from '@farlink/contract/errors.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { groupScope } from '../../kit/list/device-scope.ts';

/** Finds a group in the scope of the session. */
export const findGroup = async (ctx: Ctx, id: number) => {
  const group = await ctx.db
    .selectFrom('device_group')
    .select(['id', 'name', 'agent_id'])
    .where('id', '=', id)
    .where(groupScope(ctx.me))
    .executeTakeFirst();
  if (!group) throw failAt('device_group_id', ['请选择有效的设备组', 'Please select a valid group']);
  return group;
};

/** A group has only devices of its VNO, because its accounts and packages belong to that VNO. */
export const refuseOtherGroup = async (ctx: Ctx, groupId: number, agentId: number) => {
  const group = await findGroup(ctx, groupId);
  if (group.agent_id !== agentId) throw fail('group_other_vno', { fields: { device_group_id: errors.group_other_vno.text } });
};
