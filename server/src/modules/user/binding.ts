import type { Text } from '@farlink/contract/kit/text.ts';
import type { AccountPlace } from '@farlink/contract/user/choices.ts';
import { runPrepared } from '../../db/prepare.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

interface BindingInput {
  readonly bind_type: AccountPlace;
  readonly device_id?: number | null;
  readonly device_group_id?: number | null;
}

/** Device or group of an account, or its whole VNO, and the VNO that owns it. */
export interface Binding {
  readonly agent_id: number;
  readonly device_id: number | null;
  readonly device_group_id: number | null;
  readonly whole_vno: boolean;
  readonly bind_name: string;
}

const notThere: Text = ['请选择有效的设备或设备组', 'Please select a valid device or group'];
const devicesOnly: Text = ['您的管理范围限于设备，请绑定设备', 'Your management scope is limited to devices. Bind a device.'];
const otherVno: Text = ['只能绑定该账号所属VNO的设备或设备组', 'Only devices or groups of the VNO of this account can be bound'];

export const bindingOf = async (ctx: Ctx, input: BindingInput): Promise<Binding> => {
  if (input.bind_type === 'device') {
    const { rows } = await runPrepared(
      ctx.db,
      ctx.db
        .selectFrom('device')
        .select(['id', 'agent_id', 'name'])
        .where('id', '=', input.device_id ?? 0)
        .where(inScope(ctx.me, 'device.agent_id', 'device.id')),
    );
    const [device] = rows;
    if (!device) throw failAt('device_id', notThere);
    return { agent_id: device.agent_id, device_id: device.id, device_group_id: null, whole_vno: false, bind_name: device.name };
  }
  // With a device scope, the operator would not see the new account.
  if (ctx.me.rights.device_ids) throw failAt(input.bind_type === 'vno' ? 'bind_type' : 'device_group_id', devicesOnly);
  if (input.bind_type === 'vno') {
    const { agent_id, agent_name } = ctx.me;
    return { agent_id, device_id: null, device_group_id: null, whole_vno: true, bind_name: agent_name };
  }
  const group = await ctx.db
    .selectFrom('device_group')
    .select(['id', 'agent_id', 'name'])
    .where('id', '=', input.device_group_id ?? 0)
    .where(inScope(ctx.me, 'device_group.agent_id'))
    .executeTakeFirst();
  if (!group) throw failAt('device_group_id', notThere);
  return { agent_id: group.agent_id, device_id: null, device_group_id: group.id, whole_vno: false, bind_name: group.name };
};

/** An account stays with its VNO, because its prefix, bills and configuration belong to that VNO. */
export const refuseOtherVno = (binding: Binding, agentId: number) => {
  if (!binding.whole_vno && binding.agent_id !== agentId)
    throw failAt(binding.device_id === null ? 'device_group_id' : 'device_id', otherVno);
};
