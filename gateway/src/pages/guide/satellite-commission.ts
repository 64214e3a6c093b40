import { antennaInterfaces, antennaVendors, modemFamilies, satNetworks } from '../../choices.ts';
import { choice, file, ipv4, port, ref, secret, text } from '../../kit/field.ts';
import { wizard } from '../../kit/page.ts';
import { phone } from '../../kit/patterns.ts';
import { KB } from '../../kit/size.ts';
import { outsideLans } from '../../kit/subnet-rules.ts';

export const guideSatelliteCommission = wizard('guide_satellite_commission', {
  title: ['卫星入网', 'Satellite commissioning'],
  summary: [
    '引导安装人员依次完成调制解调器与天线地址、OPT文件上传、对星和入网。',
    'Walks an installer from modem and antenna addresses to OPT upload, pointing and network entry.',
  ],
  fields: {
    link: ref(['承载WAN口', 'Carrying WAN'], 'network_wan', { required: true }),
    sat_network: choice(['所属卫星网', 'Satellite network'], satNetworks, { required: true, default: 'global' }),
    modem_type: choice(['调制解调器型号', 'Modem family'], modemFamilies, { required: true, default: 'idirect_evolution' }),
    modem_ip: ipv4(['调制解调器管理地址', 'Modem management address'], { required: true, default: '192.168.0.1' }),
    modem_user: text(['调制解调器账号', 'Modem username'], { default: 'admin', max: 32 }),
    modem_password: secret(['调制解调器密码', 'Modem password'], { required: true, max: 64 }),
    opt_file: file(['OPT文件', 'OPT file'], {
      required: true,
      bytes: 512 * KB,
      size: ['512KB', '512 KB'],
      named: /\.[oO][pP][tT]$/,
      names: ['.opt文件', 'An .opt file'],
    }),
    acu_vendor: choice(['天线厂商', 'Antenna vendor'], antennaVendors, { required: true, default: 'intellian' }),
    acu_ip: ipv4(['ACU地址', 'ACU address'], { required: true, default: '192.168.2.1' }),
    acu_protocol: choice(['天线接口协议', 'Antenna interface'], antennaInterfaces, { required: true, default: 'openamip' }),
    acu_port: port(['OpenAMIP端口', 'OpenAMIP port'], { default: 2002, when: ['acu_protocol', 'openamip'] }),
    heading_source: choice(
      ['航向来源', 'Heading source'],
      {
        nmea0183: ['NMEA 0183罗经', 'NMEA 0183 compass'],
        nmea2000: ['NMEA 2000', 'NMEA 2000'],
        gyro: ['陀螺罗经', 'Gyrocompass'],
        gnss: ['GNSS双天线测向', 'GNSS compass'],
      },
      { required: true, default: 'nmea0183' },
    ),
    beam_select: choice(
      ['波束选择', 'Beam selection'],
      { auto: ['自动', 'Automatic'], manual: ['指定波束', 'Fixed beam'] },
      { required: true, default: 'auto' },
    ),
    beam: ref(['波束', 'Beam'], 'satellite_route_beam', { required: true, when: ['beam_select', 'manual'] }),
    line_up_test: choice(
      ['入网测试', 'Line-up test'],
      {
        full: ['极化隔离与1dB压缩点', 'Cross-pol isolation and 1 dB compression'],
        cross_pol: ['仅极化隔离', 'Cross-pol isolation only'],
        skip: ['跳过（已开通站）', 'Skip (already commissioned)'],
      },
      { default: 'full' },
    ),
    noc_contact: text(['值班网管电话', 'NOC phone'], { max: 32, like: phone }),
  },
  rules: [outsideLans('modem_ip', 'acu_ip')],
});
