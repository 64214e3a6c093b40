import { authStates, carrierStates, changeModes, linkLocks, optStates } from '../../choices.ts';
import { choice, int, percent, ref, span, text } from '../../kit/field.ts';
import { status } from '../../kit/page.ts';

export const statusOverview = status('status_overview', {
  title: ['设备概览', 'Overview'],
  summary: [
    '一行汇总设备标识、负载、当前链路、位置、授权与平台连接状态。',
    'One-row summary of identity, load, active link, position, license and cloud state.',
  ],
  fields: {
    device_name: text(['设备名称', 'Device name']),
    sn: text(['序列号', 'SN']),
    model: text(['型号', 'Model']),
    firmware_version: text(['固件版本', 'Firmware version']),
    run_time: span(['运行时间', 'Uptime']),
    cpu_usage: percent(['CPU使用率', 'CPU usage']),
    memory_usage: percent(['内存使用率', 'Memory usage']),
    disk_usage: percent(['磁盘使用率', 'Disk usage']),
    temperature: int(['主板温度（℃）', 'Board temperature (°C)']),
    network: choice(['当前网络', 'Current network'], {
      unknown: ['未知', 'Unknown'],
      '6d': ['6D', '6D'],
      lband: ['L波段', 'L-band'],
      lte: ['LTE', 'LTE'],
      leo: ['低轨', 'LEO'],
    }),
    current_link: ref(['当前链路', 'Current link'], 'network_wan'),
    change_mode: choice(['切换模式', 'Change mode'], changeModes),
    link_lock: choice(['链路锁定', 'Link lock'], linkLocks),
    opt_status: choice(['OPT状态', 'OPT status'], optStates),
    fence: text(['所在围栏', 'Current fence']),
    latitude: text(['纬度', 'Latitude']),
    longitude: text(['经度', 'Longitude']),
    terminal_count: int(['在线终端数', 'Online terminals']),
    user_count: int(['在线用户数', 'Online users']),
    auth_status: choice(['授权状态', 'Authorization'], authStates),
    billing_mode: choice(
      ['计费模式', 'Billing mode'],
      [
        [0, '异常', 'Abnormal'],
        [1, '预计费', 'Pre-billing'],
        [2, 'AAA计费', 'AAA'],
        [3, '共存', 'Mixed'],
      ],
    ),
    cloud_state: choice(['平台连接', 'Platform connection'], carrierStates),
    docker_status: choice(
      ['Docker状态', 'Docker status'],
      [
        [0, '不支持', 'Unsupported'],
        [1, '正常', 'Normal'],
        [2, '异常', 'Abnormal'],
        [3, '未启用', 'Not enabled'],
        [4, '未使用', 'Not used'],
      ],
    ),
  },
});
