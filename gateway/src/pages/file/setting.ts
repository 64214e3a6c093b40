import { bool, int, rate, ref, rows, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { folder } from '../../kit/patterns.ts';

export const fileSetting = form('file_setting', {
  title: ['分发设置', 'Distribution settings'],
  summary: [
    '设置文件存储目录、允许的链路和时段，以及到达后允许的操作。',
    'Storage folder, allowed links and hours, and operations allowed on arrival.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    store_path: text(['存储目录', 'Storage path'], { required: true, default: '/mnt/data/files', max: 128, like: folder }),
    store_limit: int(['存储上限', 'Storage limit'], { default: 10_240, min: 64, max: 10_000_000, unit: 'MB' }),
    max_file: int(['单文件上限', 'Largest file'], { default: 2048, min: 1, max: 100_000, unit: 'MB' }),
    rate_limit: rate(['下载限速（0不限）', 'Download limit (0 = none)'], { default: 256 }),
    links: rows(
      ['允许链路（空为非计费链路）', 'Allowed links (empty = unmetered)'],
      { max: 8 },
      { link: ref(['链路', 'Link'], 'network_wan', { required: true }) },
    ),
    window: ref(['下载时间组', 'Download window'], 'network_time_group'),
    allow_lband: bool(['允许走L波段', 'Allow over L-band'], { default: false }),
    resume: bool(['断点续传', 'Resume broken downloads'], { default: true }),
    verify: bool(['校验完整性', 'Verify checksum'], { default: true }),
    allow_install: bool(['允许安装', 'Allow install'], { default: true }),
    allow_decompress: bool(['允许解压', 'Allow decompress'], { default: true }),
    allow_execute: bool(['允许执行脚本', 'Allow script execution'], { default: false }),
    clean_days: int(['过期清理（0不清理）', 'Clean after (0 = never)'], { default: 90, min: 0, max: 3650, unit: 'd' }),
  },
});
