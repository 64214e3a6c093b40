import { calls, shape } from '../kit/endpoint.ts';
import { choice, option, speed, text } from '../kit/field.ts';
import { form } from '../kit/page.ts';
import type { Rule } from '../kit/rule.ts';
import { rules } from '../rules.ts';
import { deviceAccess } from './device.ts';
import type { Shadow } from './shadow.ts';

const videoState = [
  { id: 1, label: ['开启', 'On'], color: 'green' },
  { id: 0, label: ['关闭', 'Off'], color: 'default' },
] as const;

const streamAddress: Rule = {
  name: 'stream_address',
  text: [
    '地址可带rtsp(s)://、rtmp(s)://、http(s)://或不带，3-255个字符',
    'An address with rtsp(s)://, rtmp(s)://, http(s):// or bare, 3-255 characters',
  ],
  max: 255,
  test: (value) => rules.domain.test(String(value).replace(/^(?:rtsps?|rtmps?|https?):\/\//i, '')),
};

/** The camera behind a gateway: enabled, stream URL and bandwidth limit. */
export const videoFields = {
  enable: choice(['启用视频', 'Enable video'], videoState, { required: true }),
  url: text(['视频流地址', 'Stream address'], {
    rules: [streamAddress],
    max: 255,
    mono: true,
    when: (values) => values.enable === 1,
    tips: ['留空使用网关内置的地址', 'Leave empty to use the built-in address of the gateway'],
  }),
  up_limit: speed(['上行限速（kbps）', 'Up limit (kbps)'], { rules: [rules.zero_unlimited], default: 0 }),
};

export interface Video {
  readonly id: number;
  readonly enable: 0 | 1;
  readonly url: string | null;
  readonly up_limit: number;
  readonly shadow: Shadow;
}

const device_id = option(['设备', 'Device'], 'device/option', { required: true, hidden: true });

export const videoCalls = calls('device', deviceAccess, {
  read: {
    kind: 'tree',
    path: 'device/video',
    summary: ['读取设备视频设置', 'Read the video settings of a device'],
    input: { device_id },
    shape: shape<Video>(),
  },
  set: {
    kind: 'command',
    path: 'device/video/set',
    summary: ['修改设备视频设置', 'Change the video settings of a device'],
    input: { device_id, ...videoFields },
  },
});

export const videoForm = form(['视频设置', 'Video settings'], videoFields);
