import { exportCalls, exportState } from '../export/export.ts';
import { endpoint } from '../kit/endpoint.ts';
import { bytes, choice, int, link, progress, text, time } from '../kit/field.ts';
import { page, resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { cardExportKind } from './choices.ts';

export const cardExportResource = resource({
  fields: {
    kind: choice(['导出类型', 'Kind'], cardExportKind, { width: 116 }),
    job_id: text(['任务编号', 'Job ID'], { mono: true }),
    file_name: text(['文件名', 'File name'], { tooltip: true, width: 240 }),
    status: choice(['导出状态', 'Export status'], exportState.options),
    progress: progress(['进度', 'Progress']),
    total: int(['数据条数', 'Rows']),
    file_size: bytes(['文件大小', 'File size']),
    operator: text(['操作人', 'Operator']),
    create_at: time(['发起时间', 'Started at'], { sort: true, months: limits.queryMonths }),
    finish_at: time(['完成时间', 'Finished at']),
    file_url: link(['下载', 'Download'], { tips: ['仅发起人可下载', 'Only who asked for it may download it'] }),
    condition: text(['导出条件', 'Conditions'], { tooltip: true, off: true }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, off: true }),
    message: text(['失败原因', 'Reason'], { tooltip: true, off: true }),
  },
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
    'message',
  ],
  filters: ['kind', 'status', 'file_name', 'operator', 'create_at'],
  orderby: 'create_at desc',
});

export const cardExportCalls = {
  list: endpoint({
    method: 'GET',
    path: 'recharge_card/export',
    kind: 'list',
    module: 'card',
    access: ['card_export'],
    summary: ['充值卡导出记录', 'List card export jobs'],
    resource: cardExportResource,
  }),
};

export const cardExport = page({
  key: 'cardExport',
  title: ['充值卡导出日志', 'Card export log'],
  route: '/card/export',
  permission: 'card_export',
  hiddenModes: [2],
  resource: cardExportResource,
  list: cardExportCalls.list,
  forms: {},
  actions: {
    download: {
      on: 'row',
      label: ['下载', 'Download'],
      call: exportCalls.download,
      download: true,
      why: ['文件生成后，仅发起人可下载', 'Ready files can be downloaded by who asked for them'],
      when: (row) => exportState.can('download', row.status) && row.file_url !== null,
    },
  },
});
