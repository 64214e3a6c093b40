import { bool, choice, int, percent, port, ref, rows, secret, text } from '../../kit/field.ts';
import { list } from '../../kit/page.ts';
import { containerName, containerPath, folder, variableName } from '../../kit/patterns.ts';
import { portsFree } from '../../kit/port-rules.ts';

export const dockerContainer = list('docker_container', {
  title: ['容器', 'Containers'],
  summary: [
    '配置容器的镜像、网络、端口、挂载和资源上限，默认不启用特权模式。',
    'Containers with image, network, ports, volumes and resource limits; never privileged by default.',
  ],
  key: 'name',
  maxRows: 32,
  fields: {
    name: text(['容器名', 'Container name'], { required: true, max: 64, like: containerName }),
    enabled: bool(['启用', 'Enabled'], { default: true }),
    image: ref(['镜像', 'Image'], 'docker_image', { required: true }),
    network: choice(
      ['网络模式', 'Network'],
      { bridge: ['桥接', 'Bridge'], host: ['主机', 'Host'], none: ['无', 'None'] },
      { required: true, default: 'bridge' },
    ),
    ports: rows(
      ['端口映射', 'Ports'],
      { max: 32, when: ['network', 'bridge'] },
      {
        host_port: port(['主机端口', 'Host port'], { required: true }),
        container_port: port(['容器端口', 'Container port'], { required: true }),
        protocol: choice(['协议', 'Protocol'], { tcp: ['TCP', 'TCP'], udp: ['UDP', 'UDP'] }, { default: 'tcp' }),
      },
    ),
    volumes: rows(
      ['挂载', 'Volumes'],
      { max: 16 },
      {
        host_path: text(['主机目录', 'Host path'], { required: true, max: 128, like: folder }),
        container_path: text(['容器目录', 'Container path'], { required: true, max: 128, like: containerPath }),
        read_only: bool(['只读', 'Read only'], { default: false }),
      },
    ),
    env: rows(
      ['环境变量', 'Environment'],
      { max: 64 },
      {
        key: text(['变量名', 'Key'], { required: true, max: 64, like: variableName }),
        is_secret: bool(['保密', 'Secret'], { default: false }),
        value: text(['值', 'Value'], { max: 255, when: ['is_secret', false] }),
        secret_value: secret(['保密值', 'Secret value'], { max: 255, when: ['is_secret', true] }),
      },
    ),
    command: text(['启动命令', 'Command'], { max: 255 }),
    restart: choice(
      ['重启策略', 'Restart policy'],
      {
        no: ['不重启', 'No'],
        on_failure: ['失败时', 'On failure'],
        unless_stopped: ['除非手动停止', 'Unless stopped'],
        always: ['总是', 'Always'],
      },
      { required: true, default: 'unless_stopped' },
    ),
    cpu: percent(['CPU上限', 'CPU limit'], { default: 25, min: 1 }),
    memory: int(['内存上限', 'Memory limit'], { default: 256, min: 16, max: 32_768, unit: 'MB' }),
    link: ref(['出口链路（空为自动）', 'Link (empty = automatic)'], 'network_wan'),
    privileged: bool(['特权模式', 'Privileged'], { default: false }),
    remark: text(['备注', 'Remark'], { max: 128 }),
  },
  rules: [portsFree],
});
