import { deviceAccountCalls as calls } from '@farlink/contract/device/device-account.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { pageOf } from '../../../kit/list/page.ts';
import { findDevice } from '../find-device.ts';

export const listAccounts: Handler<typeof calls.list> = async (ctx, input) => {
  const { id } = await findDevice(ctx, input.device_id);
  const query = ctx.db
    .selectFrom('device_account')
    .leftJoin('role', 'role.id', 'device_account.role_id')
    .select([
      'device_account.id',
      'device_account.username',
      'role.name as role_name',
      'device_account.last_login_at',
      'device_account.update_at',
    ])
    .where('device_account.device_id', '=', id);
  return pageOf(ctx.db, calls.list, input, query);
};
