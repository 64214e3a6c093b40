import { positionSources } from '../../choices.ts';
import { bool, choice, duration, int, port, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { differs } from '../../kit/page-rules.ts';
import { hostName, latitude, longitude } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const satelliteRoutePosition = form('satellite_route_position', {
  title: ['定位与航向', 'Position and heading'],
  summary: [
    '设置定位与航向的来源、优先顺序、数据有效期和船上转发。',
    'Sources of position and heading, their order, freshness and forwarding on board.',
  ],
  fields: {
    primary: choice(['首选来源', 'Primary source'], positionSources, { required: true, default: 'acu' }),
    backup: choice(['备用来源', 'Backup source'], positionSources, { default: 'gnss' }),
    nmea_transport: choice(
      ['NMEA接入方式', 'NMEA transport'],
      { serial: ['串口', 'Serial'], udp: ['UDP', 'UDP'], tcp: ['TCP', 'TCP'] },
      { default: 'serial' },
    ),
    serial_port: choice(
      ['串口', 'Serial port'],
      { ttyS0: ['串口0', 'Serial 0'], ttyS1: ['串口1', 'Serial 1'], ttyUSB0: ['USB串口', 'USB serial'] },
      { default: 'ttyS0', when: ['nmea_transport', 'serial'] },
    ),
    baud: choice(
      ['波特率', 'Baud rate'],
      { '4800': ['4800', '4800'], '9600': ['9600', '9600'], '38400': ['38400', '38400'], '115200': ['115200', '115200'] },
      { default: '4800', when: ['nmea_transport', 'serial'] },
    ),
    udp_port: port(['UDP监听端口', 'UDP listen port'], { default: 10_110, when: ['nmea_transport', 'udp'] }),
    tcp_host: text(['TCP服务器', 'TCP server'], { max: 255, like: hostName, when: ['nmea_transport', 'tcp'] }),
    tcp_port: port(['TCP端口', 'TCP port'], { default: 10_110, when: ['nmea_transport', 'tcp'] }),
    max_age: duration(['数据有效期', 'Maximum age'], { default: 120, min: 5, max: 3600, unit: 's' }),
    min_satellites: int(['最少卫星数', 'Minimum satellites'], { default: 4, min: 3, max: 12 }),
    max_speed_kn: int(['跳点过滤航速', 'Jump filter speed'], { default: 60, min: 5, max: 1200, unit: 'kn' }),
    map_datum: choice(
      ['地图显示坐标系', 'Map datum for display'],
      { wgs84: ['WGS-84', 'WGS-84'], gcj02: ['GCJ-02', 'GCJ-02'] },
      { default: 'wgs84' },
    ),
    manual: bool(['使用固定位置', 'Use a fixed position'], { default: false }),
    manual_lat: text(['固定纬度', 'Fixed latitude'], { required: true, max: 12, like: latitude, when: ['manual', true] }),
    manual_lon: text(['固定经度', 'Fixed longitude'], { required: true, max: 12, like: longitude, when: ['manual', true] }),
    report_interval: duration(['平台上报间隔', 'Report interval'], { default: 60, min: 10, max: 3600, unit: 's' }),
    nmea_forward: bool(['向船上网络转发NMEA', 'Forward NMEA to the LAN'], { default: false }),
    forward_port: port(['转发UDP端口', 'Forward UDP port'], { default: 10_111, when: ['nmea_forward', true] }),
  },
  rules: [differs('backup', 'primary'), portsFree],
});
