import type { Text } from '@farlink/contract/kit/text.ts';
import type { userCalls as calls } from '@farlink/contract/user/user.ts';
import type { Updateable } from 'kysely';
import type { SubscriberTable } from '../../db/tables.ts';
import { refreshPackages } from '../../domain/metering/store/refresh-packages.ts';
import { switchRenewal } from '../../domain/sale/renew-account.ts';
import { logPolicy } from '../../domain/subscriber/log-policy.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { seal } from '../../kit/session/secret.ts';
import { bindingOf, refuseOtherVno } from './binding.ts';
import { lockUser, namesOf, subjectOf, type UserRow } from './find-user.ts';
import { kickAaaSessions } from './kick-aaa.ts';
import { logOff } from './log-off.ts';
import { policyOf } from './templates.ts';

/** Each change of an account makes open forms stale. */
export const patchUser = (ctx: Ctx, user: UserRow, patch: Updateable<SubscriberTable>) =>
  ctx.db
    .updateTable('subscriber')
    .set({ ...patch, update_at: ctx.now(), version: user.version + 1 })
    .where('id', '=', user.id)
    .execute();

const passwdText: Text = ['重置上网密码', 'Reset internet password of'];

export const resetPasswords: Handler<typeof calls.passwd> = async (ctx, { ids, password }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, passwdText), async (row, id) => {
    const user = await lockUser(row, id);
    await patchUser(row, user, { password: seal(ctx.deps.config.secretKey, password) });
    record(row, [`${passwdText[0]} ${user.account}`, `${passwdText[1]} ${user.account}`], {
      after: { password },
      subject: subjectOf(id),
    });
  });

const deviceText: Text = ['变更绑定设备', 'Change of the bound device of'];

export const moveUsers: Handler<typeof calls.device> = async (ctx, { ids, ...input }) => {
  const binding = await bindingOf(ctx, input);
  const { device_id, device_group_id, whole_vno } = binding;
  return eachOf(ctx, ids, await namesOf(ctx, ids, deviceText), async (row, id) => {
    const user = await lockUser(row, id);
    refuseOtherVno(binding, user.agent_id);
    if (user.device_id === device_id && user.device_group_id === device_group_id && user.whole_vno === whole_vno) throw fail('unchanged');
    await patchUser(row, user, { device_id, device_group_id, whole_vno });
    await logPolicy(row.db, { ...user, device_id }, ctx.me.name, ctx.now());
    record(row, [`将用户 ${user.account} 绑定到 ${binding.bind_name}`, `Bound user ${user.account} to ${binding.bind_name}`], {
      before: { device_id: user.device_id, device_group_id: user.device_group_id, whole_vno: user.whole_vno },
      after: { device_id, device_group_id, whole_vno },
      subject: subjectOf(id),
    });
  });
};

const policyText: Text = ['设置自定义策略', 'Custom policy of'];

export const setPolicies: Handler<typeof calls.policy> = async (ctx, { ids, ...input }) => {
  const policy = await policyOf(ctx, input, {});
  return eachOf(ctx, ids, await namesOf(ctx, ids, policyText), async (row, id) => {
    const user = await lockUser(row, id);
    await policyOf(row, input, user);
    const before = { custom_policy: user.custom_policy, application_id: user.application_id, policy_id: user.policy_id };
    if (JSON.stringify(before) === JSON.stringify(policy)) throw fail('unchanged');
    await patchUser(row, user, policy);
    await refreshPackages(row.db, [id], ctx.now());
    await logPolicy(row.db, { ...user, ...policy }, ctx.me.name, ctx.now());
    const actionText: Text = policy.custom_policy ? ['开启', 'Switched on'] : ['关闭', 'Switched off'];
    record(row, [`${actionText[0]}用户 ${user.account} 的自定义策略`, `${actionText[1]} the custom policy of user ${user.account}`], {
      before,
      after: policy,
      subject: subjectOf(id),
    });
  });
};

const renewalText: Text = ['设置自动续订', 'Automatic renewal of'];

export const setRenewal: Handler<typeof calls.renewal> = async (ctx, { ids, auto_renew }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, renewalText), async (row, id) => {
    const user = await lockUser(row, id);
    if (user.account_type === 'job') throw fail('recharge_job');
    await switchRenewal(row.db, user, auto_renew === 1, ctx.now());
    const actionText: Text = auto_renew === 1 ? ['开启', 'Switched on'] : ['关闭', 'Switched off'];
    record(row, [`${actionText[0]}用户 ${user.account} 的自动续订`, `${actionText[1]} the automatic renewal of ${user.account}`], {
      before: { auto_renew: Number(user.auto_renew) },
      after: { auto_renew },
      subject: subjectOf(id),
    });
  });

const kickText: Text = ['强制下线', 'Kick offline'];

export const kickUsers: Handler<typeof calls.kick> = async (ctx, { ids, source }) => {
  if (source === 'aaa') return kickAaaSessions(ctx, ids);
  return eachOf(ctx, ids, await namesOf(ctx, ids, kickText), async (row, id) => {
    const user = await lockUser(row, id);
    if (user.online_count === 0) throw fail('user_offline');
    await logOff(row, id);
    record(row, [`强制用户 ${user.account} 下线`, `Kicked user ${user.account} offline`], { subject: subjectOf(id) });
  });
};
