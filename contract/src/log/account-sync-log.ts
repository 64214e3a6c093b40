import { calls } from '../kit/endpoint.ts';
import { choice, duration, int, link, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

const syncDirection = [
  { id: 'down', label: ['平台→网关', 'Platform to gateway'], color: 'blue' },
  { id: 'up', label: ['网关→平台', 'Gateway to platform'], color: 'green' },
] as const;

const syncResult = [
  { id: 'success', label: ['同步成功', 'Success'], color: 'green' },
  { id: 'fail', label: ['同步失败', 'Fail'], color: 'red' },
  { id: 'partial', label: ['部分失败', 'Partial failure'], color: 'orange' },
] as const;

export const accountSyncLogResource = resource({
  fields: {
    device_name: link(['设备名称', 'Device'], { tooltip: true, width: 180, to: references.device }),
    sn: text(['设备SN', 'SN'], { match: 'code', mono: true, rules: [rules.sn], max: 64 }),
    direction: choice(['同步方向', 'Direction'], syncDirection, { width: 170 }),
    total: int(['总数', 'Total']),
    success_count: int(['成功数', 'Succeeded']),
    fail_count: int(['失败数', 'Failed'], { sort: true }),
    result: choice(['同步结果', 'Result'], syncResult, { width: 130 }),
    message: text(['失败原因', 'Reason'], { tooltip: true, width: 240 }),
    duration: duration(['耗时', 'Duration'], { hiddenByDefault: true }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    create_at: time(['同步时间', 'Synced at'], { sort: true, months: limits.queryMonths }),
    device_id: option(['设备', 'Device'], 'device/option'),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['device_name', 'create_at'],
  columns: [
    'device_name',
    'sn',
    'direction',
    'total',
    'success_count',
    'fail_count',
    'result',
    'message',
    'duration',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'result', 'direction', 'create_at', 'fail_count', 'vno_id'],
  orderby: 'create_at desc',
});

export const accountSyncLogCalls = calls('log', ['account_sync_log'], {
  list: {
    kind: 'list',
    path: 'user/sync_log',
    summary: ['查询账号同步日志', 'List account synchronisations with the gateways'],
    resource: accountSyncLogResource,
  },
});

export const accountSyncLog = page({
  ...headOf('accountSyncLog'),
  resource: accountSyncLogResource,
  list: accountSyncLogCalls.list,
  emptyHint: [
    '网关同步账号后显示在这里。只有支持账号同步的网关才有记录。',
    'Appears when gateways synchronise accounts. Only gateways that store accounts do so.',
  ],
  forms: {},
  actions: {},
});
