import { bool, int, interfaceAddress, percent, rate, ref, text } from '../../kit/field.ts';
import { form } from '../../kit/page.ts';
import { folder } from '../../kit/patterns.ts';

export const dockerSetting = form('docker_setting', {
  title: ['Docker设置', 'Docker settings'],
  summary: [
    '设置Docker开关和资源上限，避免容器影响路由转发。',
    'Docker switch and resource limits, so that containers do not affect routing.',
  ],
  fields: {
    enabled: bool(['启用', 'Enabled'], { default: false }),
    data_root: text(['数据目录', 'Data directory'], { required: true, default: '/mnt/data/docker', max: 128, like: folder }),
    bridge: interfaceAddress(['网桥地址', 'Bridge address'], { default: '172.31.255.1/24' }),
    cpu_limit: percent(['CPU总上限', 'CPU ceiling'], { default: 50, min: 5 }),
    memory_limit: int(['内存总上限', 'Memory ceiling'], { default: 1024, min: 128, max: 32_768, unit: 'MB' }),
    storage_limit: int(['存储上限', 'Storage ceiling'], { default: 8192, min: 512, max: 1_048_576, unit: 'MB' }),
    log_size: int(['单容器日志上限', 'Log limit per container'], { default: 10, min: 1, max: 500, unit: 'MB' }),
    pull_rate: rate(['拉取镜像限速', 'Image pull limit'], { default: 512 }),
    pull_window: ref(['拉取时间组', 'Pull window'], 'network_time_group'),
    allow_lband: bool(['允许经L波段拉取', 'Pull over L-band'], { default: false }),
    autostart: bool(['随网关启动', 'Start with the gateway'], { default: true }),
  },
});
