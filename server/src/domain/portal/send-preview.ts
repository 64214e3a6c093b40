import type { PreviewNote } from '@farlink/contract/kit/page.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText } from '@farlink/contract/kit/units.ts';
import { type SqlBool, sql } from 'kysely';
import type { Ctx } from '../../kit/ctx.ts';
import { Refusal } from '../../kit/fail.ts';
import { inScope } from '../../kit/list/scope.ts';
import { mayLoad } from '../file-task/dispatch-rate.ts';
import { bundleOf } from './build-bundle.ts';
import { incompatibilityOf, type SendablePortal } from './send-portal.ts';

const texts = {
  cost: ['每台约 {1}，设备数：{0}', 'About {1} each, devices: {0}'],
  older: ['正在使用该门户的旧版本，将更新到版本 {1}：{0} 台（{2}）', 'Serve an older revision, updated to revision {1}: {0} ({2})'],
  others: ['未选中的设备仍使用旧版本：{0} 台（{2}）', 'Devices that are not selected and serve an older revision: {0} ({2})'],
  same: ['已在使用当前版本：{0} 台', 'Already serve this revision: {0}'],
  offline: ['设备离线，上线后自动下发：{0} 台', 'Offline, sent when they come online: {0}'],
  link: ['处于L波段链路，将等待切换到其他链路后下发：{0} 台', 'On the L-band link, sent after switching to another link: {0}'],
  billing_mismatch: ['计费模式与该门户不匹配，将失败：{0} 台', 'Will fail because the billing mode does not match this portal: {0}'],
  portal_elsewhere: ['门户不属于设备的VNO，将失败：{0} 台', 'Will fail because the portal does not belong to the VNO of the device: {0}'],
  gateway_too_old: ['设备不支持门户，将失败：{0} 台', 'Will fail because the device does not support portals: {0}'],
} as const satisfies Record<string, Text>;

const shownNames = 3;

const devicesOf = (ctx: Ctx, where: ReturnType<typeof sql<SqlBool>>) =>
  ctx.db
    .selectFrom('device')
    .innerJoin('agent', 'agent.id', 'device.agent_id')
    .select(['device.id', 'device.name', 'device.network', 'device.online_state', 'device.billing_mode', 'device.caps', 'device.access_at'])
    .select(['device.portal_id', 'device.portal_rev', 'agent.path'])
    .where(where)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .orderBy('device.name')
    .limit(2000)
    .execute();
type Device = Awaited<ReturnType<typeof devicesOf>>[number];

const namesOf = (devices: readonly Device[]) => {
  const names = devices.slice(0, shownNames).map(({ name }) => name);
  return `${names.join(', ')}${devices.length > shownNames ? '…' : ''}`;
};

/** Bytes of the download, or the reason why there is none. */
const sizeOf = async (ctx: Ctx, portal: SendablePortal): Promise<number | Text> => {
  try {
    return (await bundleOf({ db: ctx.db, config: ctx.deps.config }, { portal_id: portal.id, rev: portal.rev })).length;
  } catch (error) {
    if (error instanceof Refusal) return error.text;
    throw error;
  }
};

/** Preview of a send to these devices: bytes, and the devices that wait, fail or serve an older revision. */
export const sendPreview = async (ctx: Ctx, portal: SendablePortal, ids: readonly number[]): Promise<PreviewNote[]> => {
  const size = await sizeOf(ctx, portal);
  if (typeof size !== 'number') return [{ text: say(size, ctx.lang), tone: 'warning' }];
  const chosen = await devicesOf(ctx, sql<SqlBool>`device.id = any(${[...ids]}::bigint[])`);
  const byIncompatibility = Object.groupBy(chosen, (device) => incompatibilityOf(portal, device) ?? 'fits');
  const fitting = byIncompatibility.fits ?? [];
  const isOlder = (device: Device) => device.portal_id === portal.id && device.portal_rev !== portal.rev;
  const others = await devicesOf(
    ctx,
    sql<SqlBool>`device.portal_id = ${portal.id} and device.portal_rev is distinct from ${portal.rev} and device.id <> all(${[...ids]}::bigint[])`,
  );
  const online = fitting.filter((device) => device.online_state === 1);
  const note = (text: Text, devices: readonly Device[] | undefined, more: string | number = '', tone?: 'warning'): PreviewNote[] =>
    !devices || devices.length === 0
      ? []
      : [{ text: say(fill(text, devices.length, more, namesOf(devices)), ctx.lang), ...(tone && { tone }) }];
  const current = fitting.filter((device) => device.portal_id === portal.id && device.portal_rev === portal.rev);
  return [
    ...note(texts.cost, fitting, bytesText(size)),
    ...note(texts.older, fitting.filter(isOlder), portal.rev),
    ...note(texts.same, current),
    ...note(
      texts.offline,
      fitting.filter((device) => device.online_state !== 1),
    ),
    ...note(
      texts.link,
      online.filter((device) => !mayLoad(device.network)),
      '',
      'warning',
    ),
    ...note(texts.billing_mismatch, byIncompatibility.billing_mismatch, '', 'warning'),
    ...note(texts.portal_elsewhere, byIncompatibility.portal_elsewhere, '', 'warning'),
    ...note(texts.gateway_too_old, byIncompatibility.gateway_too_old, '', 'warning'),
    ...note(texts.others, others, '', 'warning'),
  ];
};
