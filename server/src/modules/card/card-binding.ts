import type { CardBindType } from '@farlink/contract/card/choices.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';

const invalid: Text = ['请选择有效的数据', 'Please select a valid entry'];

interface Bound {
  readonly bind_type?: CardBindType | null;
  readonly device_id?: number | null;
  readonly device_group_id?: number | null;
}

/** Binding of the cards: a device or a group in the scope of the session. */
export const bindingOf = async (ctx: Ctx, input: Bound): Promise<{ device_id: number | null; device_group_id: number | null }> => {
  const { me, db } = ctx;
  const device_id = input.bind_type === 'device' ? (input.device_id ?? null) : null;
  const device_group_id = input.bind_type === 'group' ? (input.device_group_id ?? null) : null;
  // An operator with a device scope would not see a card that is not bound to one of their devices.
  if (me.rights.device_ids && device_id === null)
    throw failAt('bind_type', [
      '您的管理范围仅限指定设备，请绑定设备',
      'Your management scope is limited to certain devices. Bind a device.',
    ]);
  if (device_id !== null) {
    const found = await db
      .selectFrom('device')
      .select('id')
      .where('id', '=', device_id)
      .where(inScope(me, 'device.agent_id', 'device.id'))
      .executeTakeFirst();
    if (!found) throw failAt('device_id', invalid);
  }
  if (device_group_id !== null) {
    const found = await db
      .selectFrom('device_group')
      .select('id')
      .where('id', '=', device_group_id)
      .where(inScope(me, 'device_group.agent_id'))
      .executeTakeFirst();
    if (!found) throw failAt('device_group_id', invalid);
  }
  return { device_id, device_group_id };
};
