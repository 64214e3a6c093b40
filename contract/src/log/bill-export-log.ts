import { exportCalls, exportState } from '../export/export.ts';
import { billCalls } from '../finance/bill.ts';
import { endpoint, operateKey } from '../kit/endpoint.ts';
import { bytes, choice, int, link, option, progress, text, time } from '../kit/field.ts';
import { page, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { userBillCalls } from '../user/user-bill.ts';

export const billExportKind = [
  { id: 'counter', label: ['柜台账单', 'Counter bills'], color: 'blue' },
  { id: 'electronic', label: ['在线账单', 'Online bills'], color: 'green' },
  { id: 'card', label: ['充值卡账单', 'Card bills'], color: 'gold' },
  { id: 'user', label: ['开户账单', 'Account-opening bills'], color: 'purple' },
] as const;

/** Which export call each kind is. */
export const billExportCalls = {
  counter: billCalls.exportCounter,
  electronic: billCalls.exportOnline,
  card: billCalls.exportCard,
  user: userBillCalls.export,
} as const satisfies Record<(typeof billExportKind)[number]['id'], unknown>;

export const billExportKeys = Object.values(billExportCalls).map(operateKey);

const fields = {
  kind: choice(['账单类型', 'Kind'], billExportKind, { width: 150 }),
  job_id: text(['任务编号', 'Job ID'], { mono: true }),
  file_name: text(['文件名', 'File name'], { tooltip: true, width: 240 }),
  status: choice(['导出状态', 'Export status'], exportState.options),
  progress: progress(['进度', 'Progress']),
  total: int(['数据条数', 'Rows']),
  file_size: bytes(['文件大小', 'File size']),
  operator: text(['操作人', 'Operator']),
  create_at: time(['发起时间', 'Started at'], { sort: true, months: limits.queryMonths }),
  finish_at: time(['完成时间', 'Finished at']),
  file_url: link(['下载', 'Download'], { words: ['下载文件', 'Get the file'] }),
  condition: text(['导出条件', 'Conditions'], { tooltip: true, off: true, width: 240 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, off: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const billExport = resource({
  fields,
  columns: [
    'kind',
    'job_id',
    'file_name',
    'status',
    'progress',
    'total',
    'file_size',
    'operator',
    'create_at',
    'finish_at',
    'file_url',
    'condition',
    'agent_name',
  ],
  filters: ['kind', 'status', 'file_name', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const billExportLogCalls = {
  list: endpoint({
    method: 'GET',
    path: 'bill/export',
    kind: 'list',
    module: 'log',
    access: ['bill_export_log'],
    summary: ['查询账单导出日志', 'List bill export jobs'],
    resource: billExport,
  }),
};

/** A file is fetched by who asked for it: it holds what they may see, which another reader of this list may not. */
export const billExportLog = page({
  key: 'billExportLog',
  title: ['账单导出日志', 'Bill export log'],
  route: '/log/bill-export',
  permission: 'bill_export_log',
  hiddenModes: [2],
  resource: billExport,
  list: billExportLogCalls.list,
  forms: {},
  actions: {
    download: {
      on: 'row',
      label: ['下载', 'Download'],
      call: exportCalls.download,
      download: true,
      when: (row) => exportState.can('download', row.status) && typeof row.file_url === 'string',
      why: ['导出成功后，由发起人下载', 'Ready when it has succeeded, for the operator who started it'],
    },
  },
});
