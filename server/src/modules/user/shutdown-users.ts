import type { Text } from '@farlink/contract/kit/text.ts';
import { accountStatus } from '@farlink/contract/user/choices.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { patchUser } from './actions.ts';
import { lockUser, namesOf, subjectOf } from './find-user.ts';

const reserveText: Text = ['预约停机', 'Reserve the shutdown of'];
const reopenText: Text = ['撤销停机', 'Withdraw the shutdown of'];
const past: Text = ['停机时间须晚于当前时间', 'The shutdown must be in the future'];
const afterEnd: Text = ['停机时间须早于账号到期时间', 'The shutdown must be before the account expires'];

/** Schedules a shutdown; the sweep job executes it at that time. */
export const reserveShutdown: Handler<typeof calls.shutdown> = async (ctx, { ids, shutdown_at, remark }) => {
  if (shutdown_at <= ctx.now()) throw failAt('shutdown_at', past);
  return eachOf(ctx, ids, await namesOf(ctx, ids, reserveText), async (row, id) => {
    const user = await lockUser(row, id);
    if (!accountStatus.can('reserve', user.status)) throw fail('wrong_state');
    if (shutdown_at >= user.expire_at) throw failAt('shutdown_at', afterEnd);
    if (user.shutdown_at === shutdown_at) throw fail('unchanged');
    await patchUser(row, user, { shutdown_at });
    record(row, [`预约停机 ${user.account}`, `Reserved the shutdown of user ${user.account}`], {
      before: { shutdown_at: user.shutdown_at },
      after: { shutdown_at, ...(remark && { remark }) },
      subject: subjectOf(id),
    });
  });
};

/** Withdraws a scheduled shutdown, or reopens an account after one. */
export const withdrawShutdown: Handler<typeof calls.reopen> = async (ctx, { ids }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, reopenText), async (row, id) => {
    const user = await lockUser(row, id);
    const isShutDown = accountStatus.can('reopen', user.status);
    if (!isShutDown && user.shutdown_at === null) throw fail('wrong_state');
    const ended = user.expire_at <= ctx.now() ? accountStatus.to('expire') : accountStatus.to('reopen');
    const status = isShutDown ? ended : user.status;
    await patchUser(row, user, { shutdown_at: null, status });
    // Stops the service at once if no quota is left.
    if (isShutDown) await refreshPackages(row.db, [id], ctx.now());
    record(row, [`撤销停机 ${user.account}`, `Withdrew the shutdown of user ${user.account}`], {
      before: { shutdown_at: user.shutdown_at, status: user.status },
      after: { shutdown_at: null, status },
      subject: subjectOf(id),
    });
  });
