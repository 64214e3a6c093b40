import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { accountStatus } from '@farlink/contract/user/choices.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import { failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { patchUser } from './actions.ts';
import { lockUser, namesOf, subjectOf, type UserRow } from './find-user.ts';

const text: Text = ['延长到期时间', 'Extend the expiry of'];
const notLater: Text = [
  '新的到期时间须晚于原到期时间和当前时间',
  'The new expiry must be later than the current expiry and the current time',
];
const tooFar: Text = ['到期时间超出可用范围', 'The expiry is too far in the future'];
const day = 86_400;
/** Last second of the year 9999, the maximum of the API. */
const lastSecond = 253_402_300_799;

const expiryOf = ({ mode, days, expire_at }: InputOf<typeof calls.extend>, user: UserRow, now: number): number =>
  mode === 'days' ? Math.max(user.expire_at, now) + (days ?? 0) * day : (expire_at ?? 0);

/** Extends accounts without a payment; an expired account becomes active again. */
export const extendUsers: Handler<typeof calls.extend> = async (ctx, input) =>
  eachOf(ctx, input.ids, await namesOf(ctx, input.ids, text), async (row, id) => {
    const user = await lockUser(row, id);
    const expire_at = expiryOf(input, user, ctx.now());
    if (expire_at <= Math.max(user.expire_at, ctx.now())) throw failAt('expire_at', notLater);
    if (expire_at > lastSecond) throw failAt('days', tooFar);
    const status = accountStatus.can('renew', user.status) ? accountStatus.to('renew') : user.status;
    await patchUser(row, user, { expire_at, status });
    if (status !== user.status) await refreshPackages(row.db, [id], ctx.now());
    const { remark } = input;
    record(row, [`延长用户 ${user.account} 的到期时间`, `Extended the expiry of user ${user.account}`], {
      before: { expire_at: user.expire_at, ...(status !== user.status && { status: user.status }) },
      after: { expire_at, ...(status !== user.status && { status }), ...(remark && { remark }) },
      subject: subjectOf(id),
    });
  });
