import type { videoCalls as calls, Video } from '@farlink/contract/device/video.ts';
import { fail } from '../../../kit/fail.ts';
import type { Handler } from '../../../kit/http/serve.ts';
import { record } from '../../../kit/log/record.ts';
import { setDesired } from '../../../orders/desired.ts';
import { notifyChange } from '../../../orders/notify.ts';
import { deviceLabelOf, findDevice, lockDevice, subjectOf } from '../find-device.ts';
import { readSection, type Section } from './shadow.ts';

const section = 'video';

type Setting = Pick<Video, 'enable' | 'url' | 'up_limit'>;

const settingOf = ({ doc }: Section): Setting => ({
  enable: doc?.enable === 1 ? 1 : 0,
  url: typeof doc?.url === 'string' ? doc.url : null,
  up_limit: typeof doc?.up_limit === 'number' ? doc.up_limit : 0,
});

export const readVideo: Handler<typeof calls.read> = async (ctx, { device_id }) => {
  const device = await findDevice(ctx, device_id);
  const found = await readSection(ctx, device, section);
  return { id: device.id, ...settingOf(found), shadow: found.shadow };
};

export const setVideo: Handler<typeof calls.set> = async (ctx, { device_id, enable, url, up_limit }) => {
  const device = await lockDevice(ctx, device_id);
  if (device.online_state === 0) throw fail('device_offline');
  const found = await readSection(ctx, device, section);
  const before = settingOf(found);
  // The URL is kept while the camera is off.
  const after: Setting = { enable, url: enable === 1 ? (url ?? null) : before.url, up_limit: up_limit ?? 0 };
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  if (isSame && found.shadow.state !== 'failed' && found.shadow.state !== 'drifted') throw fail('unchanged');
  await setDesired(ctx.db, device.id, section, { ...after }, { now: ctx.now() });
  await notifyChange(ctx.db, 'record', [device.id]);
  const name = deviceLabelOf(device);
  record(ctx, [`修改设备 ${name} 的视频设置`, `Changed the video settings of device ${name}`], {
    before: { ...before },
    after: { ...after },
    subject: subjectOf(device.id),
  });
};
