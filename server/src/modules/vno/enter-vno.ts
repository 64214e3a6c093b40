import type { vnoCalls as calls } from '@farlink/contract/vno/vno.ts';
import { actAs } from '../../domain/act-as.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { vnoBelow } from './update-vno.ts';

/** Opens the VNO platform as the main account of a VNO below, limited to the rights of the operator (`sessionInfoOf`). */
export const enterVno: Handler<typeof calls.login> = async (ctx, { id }) => {
  const vno = await vnoBelow(ctx, id);
  const owner = await ctx.db
    .selectFrom('customer')
    .select(['id', 'username', 'status'])
    .where('agent_id', '=', vno.id)
    .where('is_owner', '=', true)
    .executeTakeFirst();
  if (!owner) throw fail('not_found');
  if (owner.status === 0) throw fail('account_disabled');
  return actAs(ctx, owner);
};
