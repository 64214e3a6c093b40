import { bool, choice, duration, int, ipv4, percent, port, ref, rows } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { outsideLans } from '../../kit/subnet-rules.ts';

export const satelliteRouteLeo = form('satellite_route_leo', {
  title: ['低轨终端', 'LEO terminal'],
  summary: [
    '采集低轨终端状态，判断遮挡与时延，并在未获许可的区域保持静默。',
    'Reads the low-orbit terminal, detects obstruction and latency, and mutes it in unlicensed areas.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    provider: choice(
      ['服务商', 'Provider'],
      {
        starlink: ['Starlink', 'Starlink'],
        oneweb: ['OneWeb', 'OneWeb'],
        guowang: ['国网星座', 'Guowang'],
        qianfan: ['千帆星座', 'Qianfan'],
        other: ['其他', 'Other'],
      },
      { required: true, default: 'starlink' },
    ),
    link: ref(['承载WAN口', 'Carrying WAN'], 'network_wan', { required: true }),
    dish_ip: ipv4(['终端地址', 'Terminal address'], { required: true, default: '192.168.100.1' }),
    api_port: port(['接口端口', 'API port'], { default: 9200 }),
    poll_interval: duration(['采集间隔', 'Polling interval'], { default: 10, min: 2, max: 300, unit: 's' }),
    obstruction_limit: percent(['遮挡比例告警值', 'Obstruction alarm level'], { default: 5 }),
    latency_limit: int(['时延上限', 'Latency limit'], { default: 200, min: 20, max: 2000, unit: 'ms' }),
    drop_limit: int(['每分钟丢包上限', 'Ping drops per minute limit'], { default: 10, min: 1, max: 60 }),
    auto_reboot: bool(['长时间无服务自动重启', 'Restart when out of service'], { default: true }),
    reboot_after: duration(['无服务多久后重启', 'Restart after'], {
      default: 20,
      min: 5,
      max: 720,
      unit: 'min',
      when: ['auto_reboot', true],
    }),
    forbidden_fences: rows(
      ['禁用围栏', 'Fences where it is off'],
      { max: 32 },
      { fence: ref(['围栏', 'Fence'], 'fence_area', { required: true }) },
    ),
    stow_when_forbidden: bool(['禁用时收藏天线', 'Stow the dish when off'], { default: false }),
  },
  rules: [outsideLans('dish_ip')],
});
