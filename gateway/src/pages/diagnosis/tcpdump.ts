import { protocols } from '../../choices.ts';
import { bool, choice, duration, iface, int, ipv4, port, text } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';
import { captureFilter } from '../../kit/patterns.ts';

export const diagnosisTcpdump = action('diagnosis_tcpdump', {
  title: ['抓包', 'Packet capture'],
  summary: [
    '在单个接口上限量抓包，可下载到本地或上传平台。',
    'Bounded capture on one interface, downloaded locally or sent to the platform.',
  ],
  fields: {
    interface: iface(['接口', 'Interface'], { required: true }),
    protocol: choice(['协议', 'Protocol'], protocols, { default: 'any' }),
    host: ipv4(['主机', 'Host']),
    port: port(['端口', 'Port']),
    filter: text(['过滤表达式', 'Filter expression'], { max: 256, like: captureFilter }),
    snaplen: int(['截取长度（0全包）', 'Bytes per packet (0 = all)'], { default: 128, min: 0, max: 65_535, unit: 'B' }),
    max_packets: int(['最多包数', 'Maximum packets'], { default: 10_000, min: 1, max: 1_000_000 }),
    max_size: int(['最大文件', 'Maximum file'], { default: 10, min: 1, max: 200, unit: 'MB' }),
    duration: duration(['最长时间', 'Longest time'], { required: true, default: 60, min: 1, max: 3600, unit: 's' }),
    upload: bool(['上传平台', 'Send to the platform'], { default: false }),
    allow_lband: bool(['允许经L波段上传', 'Upload over L-band'], { default: false }),
  },
});
