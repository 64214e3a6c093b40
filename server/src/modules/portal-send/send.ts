import type { Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { portalSendCalls as calls } from '@farlink/contract/market/portal-send.ts';
import { findSendable } from '../../domain/portal/find-sendable.ts';
import { orderPortalDispatch } from '../../domain/portal/portal-task-job.ts';
import { lockReceiver, orderPortal } from '../../domain/portal/send-portal.ts';
import { sendPreview } from '../../domain/portal/send-preview.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';

interface Target {
  readonly target?: 'device' | 'group' | null | undefined;
  readonly device_ids?: readonly number[] | null | undefined;
  readonly device_group_id?: number | null | undefined;
}

/** Devices of the target that the session sees, by id. */
const devicesOf = async (ctx: Ctx, { target, device_ids, device_group_id }: Target) =>
  ctx.db
    .selectFrom('device')
    .select(['id', 'name', 'sn'])
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .$if(target === 'group', (q) => q.where('device_group_id', '=', device_group_id ?? 0))
    .$if(target !== 'group', (q) => q.where('id', 'in', [...(device_ids ?? []), 0]))
    .orderBy('id')
    .limit(limits.fileDevices + 1)
    .execute();

const chooseFirst: Text = ['请先选择设备', 'Please select a device first.'];
const tooMany: Text = [`一次最多${limits.fileDevices}台设备`, `At most ${limits.fileDevices} devices at a time`];

const chosenDevices = async (ctx: Ctx, target: Target) => {
  const field = target.target === 'group' ? 'device_group_id' : 'device_ids';
  const devices = await devicesOf(ctx, target);
  const expectedCount = target.target === 'group' ? devices.length : new Set(target.device_ids ?? []).size;
  if (devices.length > limits.fileDevices) throw failAt(field, tooMany);
  if (devices.length === 0 || devices.length !== expectedCount) throw failAt(field, chooseFirst);
  return devices;
};

export const sendPortal: Handler<typeof calls.send> = async (ctx, input) => {
  const portal = await findSendable(ctx, input.id);
  if (!portal) throw fail('not_found');
  const devices = await chosenDevices(ctx, input);
  const names = new Map(devices.map(({ id, name, sn }) => [id, name === sn ? sn : `${name} (${sn})`]));
  const now = ctx.now();
  const isTimed = input.send_mode === 'timed';
  const order = { send_mode: input.send_mode, send_at: isTimed ? (input.send_at ?? now) : now, operator: ctx.me.name };
  const named = (id: number) => ({
    content: [`向设备 ${names.get(id)} 下发门户 ${portal.name}`, `Send portal ${portal.name} to device ${names.get(id)}`] as const,
    subject: `device:${id}`,
  });
  const result = await eachOf(ctx, [...names.keys()], named, async (row, id) => {
    const receiver = await lockReceiver(row.db, id);
    if (!receiver) throw fail('not_found');
    await orderPortal({ db: row.db, config: row.deps.config }, portal, receiver, order, now);
    record(row, [`向设备 ${names.get(id)} 下发门户 ${portal.name}`, `Sent portal ${portal.name} to device ${names.get(id)}`], {
      after: { portal_id: portal.id, rev: portal.rev, send_mode: order.send_mode, send_at: order.send_at },
      subject: `device:${id}`,
    });
  });
  if (isTimed && result.success > 0) await orderPortalDispatch(ctx.db, now, order.send_at);
  // The rows are devices, which the page of portals cannot name.
  return { ...result, list: result.list.map((row) => ({ ...row, name: names.get(row.id) ?? '' })) };
};

export const estimateSend: Handler<typeof calls.estimate> = async (ctx, { ids, ...target }) => {
  const portal = await findSendable(ctx, ids[0] ?? 0);
  if (!portal) return { notes: [] };
  const devices = await devicesOf(ctx, target);
  return {
    notes:
      devices.length === 0
        ? []
        : await sendPreview(
            ctx,
            portal,
            devices.map(({ id }) => id),
          ),
  };
};
