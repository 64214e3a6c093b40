import type { deviceCalls } from '@farlink/contract/device/device.ts';
import { type devicePortalCalls as calls, fitsBilling } from '@farlink/contract/device/portal.ts';
import type { InputOf } from '@farlink/contract/kit/endpoint.ts';
import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { waitsFor } from '@farlink/gateway/protocol/command.ts';
import { bytesOnAir } from '@farlink/gateway/protocol/link.ts';
import { downTopic } from '@farlink/gateway/protocol/topic.ts';
import { type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { eachOf } from '../../kit/list/batch.ts';
import { ownedOptions } from '../../kit/list/owned-options.ts';
import { inScope } from '../../kit/list/scope.ts';
import { record } from '../../kit/log/record.ts';
import { deviceScope } from './device-query.ts';
import { calledOf, lockDevice, namesOf, subjectOf } from './find-device.ts';
import { refuseUnreachable } from './refuse.ts';
import { askAnew } from './supersede.ts';

/** Seconds to wait: the gateway may need a link that is fast enough for the portal pages. */
const answerS = 86_400;

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

export const portalOptions: Handler<typeof calls.option> = async (ctx, asked) => {
  const devices = await devicesFor(ctx, asked);
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

const findPortal = async (ctx: Ctx, id: number) => {
  const portal = await ctx.db
    .selectFrom('portal')
    .innerJoin('agent', 'agent.id', 'portal.agent_id')
    .select(['portal.id', 'portal.name', 'portal.billing_type', 'agent.path'])
    .where('portal.id', '=', id)
    .where(inScope(ctx.me, 'portal.agent_id'))
    .executeTakeFirst();
  if (!portal) throw failAt('portal_id', ['请选择有效的门户', 'Please select a valid portal']);
  return portal;
};
type Portal = Awaited<ReturnType<typeof findPortal>>;

const argsOf = ({ id, name, billing_type }: Portal) => ({ portal: id, name, billing: billing_type });

const actionText: Text = ['设置门户', 'Set the portal of device'];
const foreign: Text = ['门户须属于设备的VNO或其上级', 'The portal must belong to the VNO of the device or a VNO above it'];

/** spec §8: an offline device fails, a mismatched billing mode fails. The record changes when the gateway confirms. */
export const setPortals: Handler<typeof deviceCalls.setPortal> = async (ctx, { ids, portal_id }) => {
  const portal = await findPortal(ctx, portal_id);
  return eachOf(ctx, ids, await namesOf(ctx, ids, actionText), async (row, id) => {
    const device = await lockDevice(row, id);
    refuseUnreachable(row, device);
    if (!fitsBilling(portal.billing_type, device.billing_mode)) throw fail('billing_mismatch');
    const owner = await row.db.selectFrom('agent').select('path').where('id', '=', device.agent_id).executeTakeFirstOrThrow();
    if (!owner.path.startsWith(portal.path)) throw failAt('portal_id', foreign);
    await askAnew(row, id, 'portal.set', argsOf(portal), answerS);
    const name = calledOf(device);
    record(row, [`向设备 ${name} 下发门户 ${portal.name}`, `Sent portal ${portal.name} to device ${name}`], {
      before: { portal_id: device.portal_id },
      after: { portal_id: portal.id },
      subject: subjectOf(id),
    });
  });
};

const texts = {
  cost: ['每台约 {1}，设备数：{0}', 'About {1} each, devices: {0}'],
  waits: [
    '处于L波段链路，将等待切换到其他链路后下发（最长24小时）：{0} 台',
    'On the L-band link, sent after switching to another link (at most 24 hours): {0}',
  ],
  mismatch: ['计费模式与该门户不匹配，将失败：{0} 台', 'Will fail because the billing mode does not match this portal: {0}'],
  foreign: ['门户不属于设备的VNO，将失败：{0} 台', 'Will fail because the portal does not belong to the VNO of the device: {0}'],
} as const satisfies Record<string, Text>;

/** Estimate before the operation: bytes, and devices that wait, do not fit or belong to other VNOs. */
export const estimatePortal: Handler<typeof calls.estimate> = async (ctx, { ids, portal_id }) => {
  const portal = await findPortal(ctx, portal_id);
  const devices = await ctx.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.sn', 'device.network', 'device.billing_mode', 'agent.path'])
    .where(sql<SqlBool>`device.id = any(${ids}::bigint[])`)
    .where(deviceScope(ctx.me))
    .execute();
  const own = devices.filter((d) => d.path.startsWith(portal.path));
  const fitting = own.filter((d) => fitsBilling(portal.billing_type, d.billing_mode));
  const body = JSON.stringify({ id: '0'.repeat(12), exp: ctx.now(), ...argsOf(portal) });
  const bytes = bytesOnAir(downTopic(fitting[0]?.sn ?? '', 'c/portal.set'), body);
  const waiting = fitting.filter((d) => waitsFor(d.network, Buffer.byteLength(body), 'portal.set'));
  const noteOf = (text: Text, count: number, tone?: 'warning'): PreviewNote[] =>
    count === 0 ? [] : [{ text: say(fill(text, count, bytesText(bytes)), ctx.lang), ...(tone && { tone }) }];
  return {
    notes: [
      ...noteOf(texts.cost, fitting.length),
      ...noteOf(texts.waits, waiting.length, 'warning'),
      ...noteOf(texts.mismatch, own.length - fitting.length, 'warning'),
      ...noteOf(texts.foreign, devices.length - own.length, 'warning'),
    ],
  };
};
