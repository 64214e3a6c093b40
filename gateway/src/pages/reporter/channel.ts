import { bool, choice, int, port, rate, ref, rows, secret, text, url } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { folder, hostName } from '../../kit/patterns.ts';

export const reporterChannel = form('reporter_channel', {
  title: ['上报通道', 'Reporting channel'],
  summary: [
    '设置数据离船上报的传输方式、分批、压缩、允许链路和离线缓存。',
    'Reporting from the ship: transport, batching, compression, allowed links and offline buffer.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: true }),
    transport: choice(
      ['传输方式', 'Transport'],
      { https: ['HTTPS', 'HTTPS'], mqtt: ['MQTT', 'MQTT'], sftp: ['SFTP', 'SFTP'] },
      { required: true, default: 'https' },
    ),
    https_url: url(['上报地址（空为平台）', 'Report URL (empty = platform)'], { when: ['transport', 'https'] }),
    mqtt_host: text(['MQTT服务器', 'MQTT server'], { required: true, max: 255, like: hostName, when: ['transport', 'mqtt'] }),
    mqtt_port: port(['MQTT端口', 'MQTT port'], { default: 8883, when: ['transport', 'mqtt'] }),
    sftp_host: text(['SFTP服务器', 'SFTP server'], { required: true, max: 255, like: hostName, when: ['transport', 'sftp'] }),
    sftp_user: text(['SFTP账号', 'SFTP username'], { required: true, max: 64, when: ['transport', 'sftp'] }),
    sftp_password: secret(['SFTP密码', 'SFTP password'], { required: true, max: 64, when: ['transport', 'sftp'] }),
    sftp_path: text(['SFTP目录', 'SFTP path'], { default: '/upload', max: 128, like: folder, when: ['transport', 'sftp'] }),
    compress: bool(['压缩', 'Compress'], { default: true }),
    batch_kb: int(['每批大小', 'Batch size'], { default: 512, min: 16, max: 10_240, unit: 'KB' }),
    rate_limit: rate(['上报限速（0不限）', 'Rate limit (0 = none)'], { default: 128 }),
    links: rows(
      ['允许链路（空为非计费链路）', 'Allowed links (empty = unmetered)'],
      { max: 8 },
      { link: ref(['链路', 'Link'], 'network_wan', { required: true }) },
    ),
    allow_lband: bool(['允许走L波段', 'Allow over L-band'], { default: false }),
    backlog_mb: int(['离线缓存上限', 'Backlog limit'], { default: 1024, min: 16, max: 102_400, unit: 'MB' }),
    backlog_days: int(['离线缓存天数', 'Backlog age'], { default: 60, min: 1, max: 365, unit: 'd' }),
  },
});
