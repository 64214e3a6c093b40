import { timezones } from '../../choices.ts';
import { bool, choice, duration, rows, text, time } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { hostName } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const advancedTime = form('advanced_time', {
  title: ['时间设置', 'Time'],
  summary: [
    '设置船时时区（可随位置变化）和无互联网时可用的时钟源。',
    'Ship time zone, which may follow the position, and clock sources that work without internet.',
  ],
  fields: {
    zone_mode: choice(
      ['时区方式', 'Zone mode'],
      { manual: ['手动', 'Manual'], position: ['随经度自动', 'Follow longitude'] },
      { required: true, default: 'manual' },
    ),
    timezone: choice(['时区', 'Time zone'], timezones, { required: true, default: 'UTC+8', when: ['zone_mode', 'manual'] }),
    source: choice(
      ['时钟来源', 'Clock source'],
      { ntp: ['NTP', 'NTP'], gnss: ['卫星定位授时', 'GNSS'], platform: ['运营平台', 'Platform'], manual: ['手动', 'Manual'] },
      { required: true, default: 'ntp' },
    ),
    ntp_servers: rows(
      ['NTP服务器', 'NTP servers'],
      { default: [{ server: 'ntp.aliyun.com' }, { server: 'ntp.ntsc.ac.cn' }], max: 4, when: ['source', 'ntp'] },
      { server: text(['服务器', 'Server'], { required: true, max: 255, like: hostName }) },
    ),
    manual_time: time(['设定时间', 'Set time'], { required: true, when: ['source', 'manual'] }),
    interval: duration(['校时间隔', 'Sync interval'], { default: 60, min: 1, max: 1440, unit: 'min' }),
    gnss_fallback: bool(['NTP不可达时用定位授时', 'Fall back to GNSS'], { default: true }),
    serve_ntp: bool(['为内网提供NTP', 'Serve NTP to the LAN'], { default: true }),
  },
  rules: [portsFree],
});
