import type { fileCalls } from '@farlink/contract/file/file.ts';
import { fill, say, type Text } from '@farlink/contract/kit/text.ts';
import { bytesText, durationText } from '@farlink/contract/kit/units.ts';
import type { Network } from '@farlink/contract/protocol/network.ts';
import { authorizationAt, mayReceive } from '@farlink/gateway/protocol/authorization.ts';
import { dispatchRates, mayLoad, slotsInAll } from '../../domain/file-task/dispatch-rate.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { inScope } from '../../kit/list/scope.ts';

const texts = {
  bytes: ['预计流量 {0}（{1} × {2} 台），约需 {3}', 'About {0} ({1} × {2} devices), takes about {3}'],
  slots: ['最多 {0} 台同时下载，其余设备排队', 'At most {0} devices download at the same time; the others are queued'],
  offline: ['{0} 台设备离线，上线后自动下发', 'Offline: {0}; sent when they come online'],
  link: ['{0} 台设备处于L波段链路，切换到其他链路后下发', 'On the L-band link: {0}; sent after switching to another link'],
  unauthorized: [
    '{0} 台设备授权已过期或暂停，恢复前不会下发',
    'Authorization expired or suspended: {0}; nothing is sent until it is restored',
  ],
} as const satisfies Record<string, Text>;

/** Each link class sends to a limited number of devices at a time, all classes in parallel; the slowest class decides. */
const secondsFor = (bytes: number, counts: ReadonlyMap<Network, number>) =>
  Math.max(
    1,
    ...[...counts].map(([network, n]) => Math.ceil(n / Math.max(1, dispatchRates[network].slots)) * (bytes / dispatchRates[network].rate)),
  );

/** Estimate before sending: bytes, duration, and the devices that must wait. */
export const estimateSend: Handler<typeof fileCalls.estimate> = async (ctx, { ids, device_ids }) => {
  const files = await ctx.db.selectFrom('file').select('size').where('id', 'in', ids).where(inScope(ctx.me, 'file.agent_id')).execute();
  const devices = await ctx.db
    .selectFrom('device')
    .select(['online_state', 'network', 'auth_status', 'auth_expire_at'])
    .where('id', 'in', device_ids)
    .where(inScope(ctx.me, 'device.agent_id', 'device.id'))
    .execute();
  const bytes = files.reduce((all, { size }) => all + size, 0);
  if (bytes === 0 || devices.length === 0) return { notes: [] };
  const may = devices.filter((d) => mayReceive(authorizationAt(d.auth_status, d.auth_expire_at, ctx.now())));
  const online = may.filter((d) => d.online_state === 1);
  const loading = online.filter((d) => mayLoad(d.network));
  const counts = new Map<Network, number>();
  for (const { network } of loading) counts.set(network, (counts.get(network) ?? 0) + 1);
  const notes: { text: Text; tone?: 'warning' }[] = [];
  if (may.length > 0) {
    const span = durationText(Math.ceil(secondsFor(bytes, counts)));
    notes.push({ text: fill(texts.bytes, bytesText(bytes * may.length), bytesText(bytes), may.length, span) });
  }
  if (loading.length > slotsInAll) notes.push({ text: fill(texts.slots, slotsInAll) });
  const waiting = [
    [texts.offline, may.length - online.length],
    [texts.link, online.length - loading.length],
    [texts.unauthorized, devices.length - may.length],
  ] as const;
  for (const [text, n] of waiting) if (n > 0) notes.push({ text: fill(text, n), tone: 'warning' });
  return { notes: notes.map(({ text, ...more }) => ({ text: say(text, ctx.lang), ...more })) };
};
