import { cents, yuan } from '@farlink/contract/kit/money.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { accountStatus } from '@farlink/contract/user/choices.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import { endPolicies } from '../../domain/subscriber/log-policy.ts';
import { unusedValues } from '../../domain/subscriber/unused-value.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { lockUser, namesOf, subjectOf, type UserRow } from './find-user.ts';
import { dropPhoto } from './photo.ts';

const actionText: Text = ['删除用户', 'Delete user'];

/** spec §5: only expired or disabled accounts without a balance or open orders can be deleted. The bills stay. */
const refuseNeeded = async (ctx: Ctx, user: UserRow) => {
  if (!accountStatus.can('remove', user.status)) throw fail('user_in_use');
  if (cents(user.balance) > 0n) throw fail('user_has_balance', { args: [user.balance] });
  const order = await ctx.db
    .selectFrom('pay_order')
    .select('id')
    .where('subscriber_id', '=', user.id)
    .where('state', '=', 'waiting')
    .limit(1)
    .executeTakeFirst();
  if (order) throw fail('user_has_order');
};

/** Paid packages that are not used up are lost, so the operator must have read their price. Returns the loss in cents. */
const lossOf = async (ctx: Ctx, id: number, givenUp: bigint): Promise<bigint> => {
  const loss = (await unusedValues(ctx.db, [id], ctx.now())).get(id) ?? 0n;
  if (loss > givenUp) throw fail('user_has_packages', { args: [yuan(loss)] });
  return loss;
};

export const removeUsers: Handler<typeof calls.remove> = async (ctx, { ids, forfeit }) => {
  let givenUp = cents(forfeit ?? '0');
  return eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const user = await lockUser(row, id);
    await refuseNeeded(row, user);
    const loss = await lossOf(row, id, givenUp);
    givenUp -= loss;
    await endPolicies(row.db, id);
    await row.db.deleteFrom('subscriber').where('id', '=', id).execute();
    await dropPhoto(row, user.photo_key);
    const { account, name, account_type, account_source, status, device_id, device_group_id } = user;
    record(row, [`删除用户 ${account}`, `Deleted user ${account}`], {
      before: {
        account,
        name,
        account_type,
        account_source,
        status,
        device_id,
        device_group_id,
        ...(loss > 0n && { unused_amount: yuan(loss) }),
      },
      subject: subjectOf(id),
    });
  });
};
