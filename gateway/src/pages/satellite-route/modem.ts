import { modemFamilies, satNetworks } from '../../choices.ts';
import { bool, choice, duration, int, ipv4, port, ref, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { unique } from '../../kit/page-rules.ts';
import { serialNumber } from '../../kit/patterns.ts';
import { outsideLans } from '../../kit/subnet-rules.ts';

export const satelliteRouteModem = list('satellite_route_modem', {
  title: ['调制解调器', 'Modem'],
  summary: [
    '配置VSAT调制解调器的接入、状态采集和脱网恢复，每个卫星网最多一台。',
    'VSAT modems, at most one per satellite network: access, polling and recovery when out of network.',
  ],
  key: 'name',
  maxRows: 2,
  fields: {
    name: text(['名称', 'Name'], { required: true }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    modem_type: choice(['型号系列', 'Modem family'], modemFamilies, { required: true, default: 'idirect_evolution' }),
    sat_network: choice(['所属卫星网', 'Satellite network'], satNetworks, { required: true, default: 'global' }),
    link: ref(['承载WAN口', 'Carrying WAN'], 'network_wan', { required: true }),
    mgmt_ip: ipv4(['管理地址', 'Management address'], { required: true, default: '192.168.0.1' }),
    mgmt_protocol: choice(
      ['管理协议', 'Management protocol'],
      { telnet: ['Telnet', 'Telnet'], ssh: ['SSH', 'SSH'], https: ['HTTPS', 'HTTPS'], snmp: ['SNMP', 'SNMP'] },
      { required: true, default: 'telnet' },
    ),
    mgmt_port: port(['管理端口', 'Management port'], { default: 23 }),
    username: text(['账号', 'Username'], { default: 'admin', max: 32 }),
    password: secret(['密码', 'Password'], { max: 64 }),
    snmp_community: secret(['SNMP团体字', 'SNMP community'], { max: 32, when: ['mgmt_protocol', 'snmp'] }),
    modem_sn: text(['调制解调器序列号', 'Modem serial number'], { max: 32, like: serialNumber }),
    poll_interval: duration(['状态采集间隔', 'Polling interval'], { default: 10, min: 2, max: 300, unit: 's' }),
    auto_recover: bool(['脱网自动恢复', 'Recover when out of network'], { default: true }),
    recover_after: duration(['脱网多久后重启', 'Restart after'], {
      default: 30,
      min: 5,
      max: 1440,
      unit: 'min',
      when: ['auto_recover', true],
    }),
    recover_limit: int(['每日最多重启次数', 'Restarts per day'], { default: 4, min: 1, max: 24, when: ['auto_recover', true] }),
    skip_when_blocked: bool(['天线遮挡期间不重启', 'Do not restart while the antenna is blocked'], {
      default: true,
      when: ['auto_recover', true],
    }),
  },
  rules: [unique('sat_network'), outsideLans('mgmt_ip')],
});
