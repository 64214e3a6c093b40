import { logLevels } from '../../choices.ts';
import { bool, choice, int, port, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';

export const advancedSyslog = form('advanced_syslog', {
  title: ['日志设置', 'Logging'],
  summary: [
    '设置本地日志容量和转发，仅有高资费链路时先行缓存。',
    'Local log size and forwarding, buffered while only costly links are up.',
  ],
  fields: {
    level: choice(['记录级别', 'Level'], logLevels, { required: true, default: 'info' }),
    local_size: int(['本地日志上限', 'Local log limit'], { default: 64, min: 1, max: 4096, unit: 'MB' }),
    retention_days: int(['本地保留天数', 'Local retention'], { default: 180, min: 7, max: 730, unit: 'd' }),
    remote: bool(['外发日志', 'Forward logs'], { default: false }),
    server: text(['日志服务器', 'Log server'], { required: true, max: 255, like: hostName, when: ['remote', true] }),
    port: port(['端口', 'Port'], { default: 514, when: ['remote', true] }),
    transport: choice(
      ['传输方式', 'Transport'],
      { udp: ['UDP', 'UDP'], tcp: ['TCP', 'TCP'], tls: ['TLS', 'TLS'] },
      { default: 'udp', when: ['remote', true] },
    ),
    nat_log: bool(['记录NAT会话', 'Log NAT sessions'], { default: false }),
    buffer: bool(['计费链路时缓存，恢复后补发', 'Buffer on metered links, send later'], { default: true }),
    allow_lband: bool(['允许经L波段外发', 'Forward over L-band'], { default: false }),
  },
});
