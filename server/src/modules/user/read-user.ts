import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import { isAnonymous } from '@farlink/contract/user/user-fields.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { shown, userQuery, userRows } from './user-query.ts';

export const readUser: Handler<typeof calls.read> = async (ctx, { id }) => {
  const row = await userQuery(userRows(ctx.db, ctx), ctx)
    .leftJoin('open_config', 'open_config.id', 'subscriber.config_id')
    .select('open_config.realname')
    .where('subscriber.id', '=', id)
    .executeTakeFirst();
  if (!row) throw fail('not_found');
  return {
    ...shown(ctx.deps.config.secretKey, row),
    realname: row.realname !== false && !isAnonymous(row.account_type),
  };
};
