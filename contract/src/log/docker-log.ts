import { dockerStatus } from '../device/choices.ts';
import { exportInput } from '../export/export.ts';
import type { RequestedExport } from '../export/export-log.ts';
import { batchShape } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bytes, choice, options, progress, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { rules } from '../rules.ts';
import { opResult } from '../user/choices.ts';
import { deviceFields } from './device-fields.ts';

export const dockerAction = [
  { id: 'start', label: ['启动', 'Start'], color: 'green' },
  { id: 'stop', label: ['停止', 'Stop'], color: 'red' },
  { id: 'restart', label: ['重启', 'Restart'], color: 'orange' },
  { id: 'install', label: ['安装', 'Install'], color: 'blue' },
  { id: 'uninstall', label: ['卸载', 'Uninstall'], color: 'volcano' },
] as const;

/** Only these gateways report containers. */
export const hasDocker = (status: unknown) => status === 1 || status === 2;

export const dockerInfo = resource({
  fields: {
    ...deviceFields,
    container: text(['容器名称', 'Container'], { sort: true, tooltip: true, width: 130, max: 128 }),
    image: text(['镜像', 'Image'], { tooltip: true, mono: true, width: 188 }),
    docker_status: choice(['Docker状态', 'Docker status'], dockerStatus),
    action: choice(['操作', 'Action'], dockerAction),
    cpu: progress(['CPU使用率', 'CPU'], { hiddenByDefault: true }),
    memory: bytes(['内存', 'Memory'], { hiddenByDefault: true }),
    content: text(['日志内容', 'Log'], { tooltip: true, width: 202 }),
    result: choice(['结果', 'Result'], opResult, { hiddenByDefault: true }),
    operator: text(['操作人', 'Operator'], { hiddenByDefault: true }),
    create_at: time(['上报时间', 'Reported at'], { sort: true, months: limits.queryMonths }),
  },
  title: ['container', 'device_name'],
  columns: [
    'device_name',
    'sn',
    'container',
    'image',
    'docker_status',
    'action',
    'cpu',
    'memory',
    'content',
    'result',
    'operator',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'docker_status', 'container', 'create_at', 'action', 'vno_id'],
  orderby: 'create_at desc',
});

const collect = {
  device_ids: options(['设备', 'Devices'], 'device/option', {
    required: true,
    lookupParams: { subject: 'docker' },
    rules: [
      {
        name: 'devices_at_once',
        test: (value) => Array.isArray(value) && value.length <= limits.selectionMax,
        text: [`一次最多选择${limits.selectionMax}台设备`, `At most ${limits.selectionMax} devices at a time`],
      },
    ],
    tips: ['仅在线且Docker状态为正常或异常的设备会应答', 'Only online devices with Docker status normal or abnormal reply'],
  }),
  container: text(['容器名称', 'Container'], { rules: [rules.word_128], max: 128, tips: ['留空表示全部', 'Empty means all'] }),
};

export const dockerCalls = calls('log', ['docker_log'], {
  list: { kind: 'list', path: 'docker_info', summary: ['查询Docker日志', 'List Docker log lines'], resource: dockerInfo },
  collect: {
    kind: 'command',
    path: 'docker_info',
    summary: ['采集Docker信息', 'Request Docker information from devices'],
    input: collect,
    shape: batchShape,
  },
  export: {
    kind: 'export',
    path: 'docker_info/export',
    summary: ['导出Docker日志', 'Start an export of the Docker log'],
    resource: dockerInfo,
    input: exportInput,
    shape: shape<RequestedExport>(),
  },
});

export const dockerLog = page({
  ...headOf('dockerLog'),
  resource: dockerInfo,
  list: dockerCalls.list,
  forms: { collect: form(['采集Docker信息', 'Collect Docker info'], collect, 760) },
  actions: {
    collect: {
      on: 'toolbar',
      label: ['采集Docker信息', 'Collect Docker info'],
      call: dockerCalls.collect,
      form: 'collect',
      done: ['采集指令已下发，设备应答后显示', 'Request sent. Results appear when devices reply.'],
    },
    export: { on: 'toolbar', label: ['导出', 'Export'], call: dockerCalls.export },
    exportLog: { on: 'toolbar', label: ['导出记录', 'Export log'], to: '/log/docker-export' },
  },
});
