import type { deviceCalls } from '@farlink/contract/device/device.ts';
import { type devicePortalCalls as calls, fitsBilling } from '@farlink/contract/device/portal.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { type SqlBool, sql } from 'kysely';
import { findSendable } from '../../domain/portal/find-sendable.ts';
import { lockReceiver, orderPortal } from '../../domain/portal/send-portal.ts';
import { sendPreview } from '../../domain/portal/send-preview.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { deviceScope } from './device-query.ts';
import { deviceLabelOf, lockDevice, namesOf, subjectOf } from './find-device.ts';
import { refuseUnreachable } from './refuse.ts';

/** Devices that the portal is chosen for. Each accepts portals of its VNO or of VNOs above it that fit its billing mode. */
const devicesFor = ({ db, me }: Ctx, { ids, id }: InputOf<typeof calls.option>) =>
  db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.billing_mode', 'agent.path'])
    .distinct()
    .where(sql<SqlBool>`device.id = any(${ids?.length ? ids : [id ?? 0]}::bigint[])`)
    .where(deviceScope(me))
    .execute();

export const portalOptions: Handler<typeof calls.option> = async (ctx, form) => {
  const devices = await devicesFor(ctx, form);
  const rows = await ctx.db
    .selectFrom('portal')
    .innerJoin('agent', 'agent.id', 'portal.agent_id')
    .select(['portal.id', 'portal.name', 'portal.billing_type', 'portal.agent_id', 'agent.name as agent_name', 'agent.path'])
    .where(inScope(ctx.me, 'portal.agent_id'))
    .orderBy('portal.name')
    .limit(10_000)
    .execute();
  const suits = (row: (typeof rows)[number]) =>
    devices.some((d) => d.path.startsWith(row.path) && fitsBilling(row.billing_type, d.billing_mode));
  // In a batch, devices that do not fit the portal are skipped and reported.
  const fit = devices.length === 0 ? rows : rows.filter(suits);
  const called = ownedOptions(ctx.me, fit);
  return Object.fromEntries(fit.map(({ id, name, billing_type }) => [id, { name: called[id] ?? name, billing_type }]));
};

const actionText: Text = ['设置门户', 'Set the portal of device'];
const invalid: Text = ['请选择有效的门户', 'Please select a valid portal'];

const chosenPortal = async (ctx: Ctx, id: number) => {
  const portal = await findSendable(ctx, id);
  if (!portal) throw failAt('portal_id', invalid);
  return portal;
};

/** spec §8: an offline device fails, a mismatched billing mode fails. The record changes when the gateway confirms. */
export const setPortals: Handler<typeof deviceCalls.setPortal> = async (ctx, { ids, portal_id }) => {
  const portal = await chosenPortal(ctx, portal_id);
  return eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    refuseUnreachable(row, device);
    const receiver = await lockReceiver(row.db, id);
    if (!receiver) throw fail('not_found');
    const now = row.now();
    const order = { send_mode: 'immediate', send_at: now, operator: row.me.name } as const;
    await orderPortal({ db: row.db, config: row.deps.config }, portal, receiver, order, now);
    const name = deviceLabelOf(device);
    record(row, [`向设备 ${name} 下发门户 ${portal.name}`, `Sent portal ${portal.name} to device ${name}`], {
      before: { portal_id: device.portal_id },
      after: { portal_id: portal.id },
      subject: subjectOf(id),
    });
  });
};

/** Estimate before the operation: bytes, and devices that wait, do not fit or belong to other VNOs. */
export const estimatePortal: Handler<typeof calls.estimate> = async (ctx, { ids, portal_id }) => ({
  notes: await sendPreview(ctx, await chosenPortal(ctx, portal_id), ids),
});
