import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { fail } from '../../kit/fail.ts';
import { inScope } from '../../kit/scope.ts';
import type { Handler } from '../../kit/serve.ts';
import { gatewayTree } from './permission-tree.ts';

export const gatewayPermissions: Handler<typeof calls.gatewayPermissions> = async (ctx, { role_id }) => {
  const role = role_id
    ? await ctx.db
        .selectFrom('role')
        .select('gateway_permissions')
        .where('id', '=', role_id)
        .where(inScope(ctx.me, 'role.agent_id'))
        .executeTakeFirst()
    : undefined;
  if (role_id && !role) throw fail('not_found');
  return { list: gatewayTree(ctx.me.rights.gateway_permissions, role?.gateway_permissions ?? {}) };
};
