import type { deviceCalls as calls } from '@farlink/contract/device/device.ts';
import { type ErrorName, errors } from '@farlink/contract/errors.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { record } from '../../kit/log/record.ts';
import { endConnections, notifyChange, notifyConnections } from '../../orders/notify.ts';
import { type DeviceRow, deviceLabelOf, lockDevice, namesOf, patchDevice, subjectOf } from './find-device.ts';

const actionText: Text = ['修改设备授权', 'Modify the authorization of device'];
const lift: Text = ['解除授权暂停', 'Lift the suspension of device'];
const outlasts: Text = ['授权到期日不能晚于授权码的到期时间', 'The authorization cannot expire later than its code'];

const codeFault = async (ctx: Ctx, code: string, agentId: number): Promise<ErrorName> => {
  const known = await ctx.db
    .selectFrom('license')
    .select('expire_at')
    .where('code', '=', code)
    .where('agent_id', '=', agentId)
    .executeTakeFirst();
  return !known ? 'code_unknown' : known.expire_at <= ctx.now() ? 'code_expired' : 'code_exhausted';
};

/** Uses one unit of the code of the VNO. The UPDATE checks the limit, so two operators cannot use the last unit. */
const takeUnit = async (ctx: Ctx, { agent_id }: DeviceRow, code: string, until: number) => {
  const now = ctx.now();
  const taken = await ctx.db
    .updateTable('license')
    .set((eb) => ({
      used: eb('used', '+', 1),
      activate_at: eb.fn.coalesce('activate_at', eb.val(now)),
      job_name: eb.fn.coalesce('job_name', eb.val(ctx.me.name)),
    }))
    .where('code', '=', code)
    .where('agent_id', '=', agent_id)
    .where('expire_at', '>', now)
    .whereRef('used', '<', 'total')
    .returning('expire_at')
    .executeTakeFirst();
  if (!taken) {
    const reason = await codeFault(ctx, code, agent_id);
    throw fail(reason, { fields: { auth_code: errors[reason].text } });
  }
  if (until > taken.expire_at) throw failAt('auth_expire_at', outlasts);
};

/** A suspended gateway is disconnected and refused. An active one receives the messages that waited for it. */
const notifyGateway = async (ctx: Ctx, { id, sn }: DeviceRow, isSuspended: boolean) => {
  if (isSuspended) await endConnections(ctx.db, sn);
  else await notifyConnections(ctx.db, { wake: [sn] });
  await notifyChange(ctx.db, 'authorization', [id]);
};

/** Only the platform can lift a suspension; the reason is kept in the operator log. */
export const liftSuspension: Handler<typeof calls.liftSuspension> = async (ctx, { ids, auth_status, auth_expire_at, reason }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, lift), async (row, id) => {
    const device = await lockDevice(row, id);
    if (ctx.me.agent_level !== 0) throw fail('denied');
    if (device.auth_status !== 'suspended') throw fail('device_not_suspended');
    await patchDevice(row, device, { auth_status, auth_expire_at });
    await notifyGateway(row, device, false);
    const name = deviceLabelOf(device);
    record(row, [`解除设备 ${name} 的授权暂停：${reason}`, `Lifted the suspension of device ${name}: ${reason}`], {
      before: { auth_status: device.auth_status, auth_expire_at: device.auth_expire_at },
      after: { auth_status, auth_expire_at, reason },
      subject: subjectOf(id),
    });
  });

export const authorizeDevices: Handler<typeof calls.authorize> = async (ctx, { ids, auth_status, auth_expire_at, auth_code }) =>
  eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    if (device.auth_status === 'suspended') throw fail('device_suspended');
    if (device.auth_status === auth_status && device.auth_expire_at === auth_expire_at && !auth_code) throw fail('unchanged');
    if (auth_code) await takeUnit(row, device, auth_code, auth_expire_at);
    await patchDevice(row, device, { auth_status, auth_expire_at });
    await notifyGateway(row, device, auth_status === 'suspended');
    const name = deviceLabelOf(device);
    record(row, [`修改设备 ${name} 的授权`, `Modified the authorization of device ${name}`], {
      before: { auth_status: device.auth_status, auth_expire_at: device.auth_expire_at },
      after: { auth_status, auth_expire_at, ...(auth_code && { auth_code }) },
      subject: subjectOf(id),
    });
  });
