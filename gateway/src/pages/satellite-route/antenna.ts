import { antennaInterfaces, antennas, antennaVendors, polarizations, satBands } from '../../choices.ts';
import { bool, choice, duration, int, ipv4, port, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { outsideLans } from '../../kit/subnet-rules.ts';

export const satelliteRouteAntenna = list('satellite_route_antenna', {
  title: ['天线与ACU', 'Antenna and ACU'],
  summary: [
    '配置稳定天线A、B的ACU接入、射频链路、航向输入和发射静默规则。',
    'Stabilized antennas A and B: controller access, RF chain, heading input and transmit-mute rules.',
  ],
  key: 'antenna',
  maxRows: 2,
  fields: {
    antenna: choice(['天线编号', 'Antenna'], antennas, { required: true, default: 'a' }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    vendor: choice(['厂商', 'Vendor'], antennaVendors, { required: true, default: 'intellian' }),
    model: text(['型号', 'Model'], { max: 32 }),
    acu_ip: ipv4(['ACU地址', 'ACU address'], { required: true, default: '192.168.2.1' }),
    protocol: choice(['天线接口协议', 'Antenna protocol'], antennaInterfaces, { required: true, default: 'openamip' }),
    openamip_port: port(['OpenAMIP端口', 'OpenAMIP port'], { default: 2002, when: ['protocol', 'openamip'] }),
    keepalive_interval: duration(['保活间隔', 'Keep-alive interval'], {
      default: 15,
      min: 1,
      max: 120,
      unit: 's',
      when: ['protocol', 'openamip'],
    }),
    position_interval: duration(['位置上报间隔', 'Position interval'], {
      default: 300,
      min: 1,
      max: 3600,
      unit: 's',
      when: ['protocol', 'openamip'],
    }),
    web_port: port(['ACU网页端口', 'ACU web port'], { default: 80 }),
    username: text(['账号', 'Username'], { max: 32 }),
    password: secret(['密码', 'Password'], { max: 64 }),
    band: choice(['频段', 'Band'], satBands, { required: true, default: 'ku' }),
    reflector_cm: int(['天线口径', 'Reflector size'], { default: 100, min: 30, max: 450, unit: 'cm' }),
    lnb_lo_mhz: int(['LNB本振', 'LNB local oscillator'], { required: true, default: 9750, min: 3000, max: 22_000, unit: 'MHz' }),
    buc_lo_mhz: int(['BUC本振', 'BUC local oscillator'], { required: true, default: 12_800, min: 4000, max: 30_000, unit: 'MHz' }),
    buc_power_w: int(['BUC功率', 'BUC power'], { default: 8, min: 1, max: 200, unit: 'W' }),
    rx_polarization: choice(['接收极化', 'Receive polarization'], polarizations, { default: 'h' }),
    tx_polarization: choice(['发射极化', 'Transmit polarization'], polarizations, { default: 'v' }),
    heading_input: choice(
      ['航向输入', 'Heading input'],
      {
        nmea0183: ['NMEA 0183', 'NMEA 0183'],
        nmea2000: ['NMEA 2000', 'NMEA 2000'],
        gyro: ['陀螺罗经步进/同步', 'Gyro step/synchro'],
        gnss: ['GNSS测向', 'GNSS compass'],
      },
      { required: true, default: 'nmea0183' },
    ),
    heading_baud: choice(
      ['航向波特率', 'Heading baud rate'],
      { '4800': ['4800', '4800'], '9600': ['9600', '9600'], '38400': ['38400', '38400'] },
      { default: '4800', when: ['heading_input', 'nmea0183'] },
    ),
    bow_offset: int(['船艏安装偏角', 'Bow offset'], { default: 0, min: -180, max: 180, unit: '°' }),
    min_elevation: int(['最低工作仰角', 'Minimum elevation'], { default: 10, min: 5, max: 60, unit: '°' }),
    tx_mute: bool(['遮挡、搜星、失锁时静默发射', 'Mute transmit when blocked, searching or mispointed'], { default: true }),
    report_blockage: bool(['向调制解调器通报遮挡', 'Report blockage to the modem'], { default: true }),
  },
  rules: [outsideLans('acu_ip')],
});
