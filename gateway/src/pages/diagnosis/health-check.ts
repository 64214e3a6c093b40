import { bool } from '../../kit/field.ts';
import { action } from '../../kit/page.ts';

export const diagnosisHealthCheck = action('diagnosis_health_check', {
  title: ['一键体检', 'Health check'],
  summary: [
    '按标准清单检查硬件、磁盘、调制解调器、天线、链路、DNS和平台。',
    'Runs the standard check list from hardware and disk to modem, antenna, links, DNS and platform.',
  ],
  fields: {
    hardware: bool(['硬件与温度', 'Hardware and temperature'], { default: true }),
    disk: bool(['磁盘', 'Disk'], { default: true }),
    links: bool(['链路连通性', 'Links'], { default: true }),
    satellite: bool(['卫星与天线', 'Satellite and antenna'], { default: true }),
    position: bool(['定位与航向', 'Position and heading'], { default: true }),
    dns: bool(['DNS解析', 'DNS'], { default: true }),
    dhcp: bool(['DHCP与地址冲突', 'DHCP and conflicts'], { default: true }),
    loop: bool(['内网环路', 'LAN loops'], { default: true }),
    aps: bool(['无线AP', 'Access points'], { default: true }),
    platform: bool(['平台连接', 'Platform'], { default: true }),
    time: bool(['时钟偏差', 'Clock offset'], { default: true }),
    upload: bool(['结果上传平台', 'Send result to the platform'], { default: false }),
  },
});
