import type { Text } from '@farlink/contract/kit/text.ts';
import { type AccountStatus, accountStatus } from '@farlink/contract/user/choices.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { patchUser } from './actions.ts';
import { lockUser, namesOf, subjectOf, type UserRow } from './find-user.ts';
import { logOff } from './log-off.ts';

type Operate = 'enable' | 'disable' | 'freeze';

const actionTexts: Record<Operate, Text> = {
  enable: ['启用用户', 'Enable user'],
  disable: ['禁用用户', 'Disable user'],
  freeze: ['冻结用户', 'Freeze user'],
};

/** spec §5: a reserved shutdown is restored. An account that expired meanwhile becomes expired. */
const enabled = (ctx: Ctx, user: UserRow): AccountStatus =>
  user.expire_at <= ctx.now() ? accountStatus.to('expire') : (user.resume_status ?? accountStatus.to('enable'));

const move = async (ctx: Ctx, user: UserRow, operate: Operate): Promise<AccountStatus> => {
  if (!accountStatus.can(operate, user.status)) throw fail('wrong_state');
  if (operate === 'enable') {
    const status = enabled(ctx, user);
    await patchUser(ctx, user, { status, resume_status: null });
    // Stops the service if no quota is left.
    await refreshPackages(ctx.db, [user.id], ctx.now());
    return status;
  }
  const status = accountStatus.to(operate);
  const resume_status = user.status === 'reserved_shutdown' ? user.status : 'normal';
  await patchUser(ctx, user, { status, resume_status });
  if (user.online_count > 0) await logOff(ctx, user.id);
  return status;
};

export const forbidUsers: Handler<typeof calls.forbid> = async (ctx, { ids, operate, remark }) => {
  const actionText = actionTexts[operate];
  return eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const user = await lockUser(row, id);
    const status = await move(row, user, operate);
    record(row, [`${actionText[0]} ${user.account}`, `${actionText[1]} ${user.account}`], {
      before: { status: user.status },
      after: { status, ...(remark && { remark }) },
      subject: subjectOf(id),
    });
  });
};
