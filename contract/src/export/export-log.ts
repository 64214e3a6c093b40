import type { Endpoint } from '../kit/endpoint.ts';
import { bytes, choice, int, link, progress, text, time } from '../kit/field.ts';
import type { Action } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import type { AnyRow } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { references } from '../references.ts';
import { exportCalls, exportState } from './export.ts';

/** Columns of every export log; each page adds its kinds of export. */
export const exportLogFields = {
  job_id: text(['任务编号', 'Job ID'], { mono: true }),
  file_name: text(['文件名', 'File name'], { tooltip: true, width: 240 }),
  status: choice(['导出状态', 'Export status'], exportState.options),
  progress: progress(['进度', 'Progress']),
  total: int(['数据条数', 'Rows']),
  file_size: bytes(['文件大小', 'File size']),
  operator: text(['操作人', 'Operator']),
  create_at: time(['发起时间', 'Started at'], { sort: true, months: limits.queryMonths }),
  finish_at: time(['完成时间', 'Finished at']),
  file_url: link(['下载', 'Download'], {
    linkText: ['下载文件', 'Get the file'],
    tips: ['仅发起人可下载', 'Only the creator can download it'],
  }),
  condition: text(['导出条件', 'Conditions'], { tooltip: true, hiddenByDefault: true, width: 240 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  message: text(['失败原因', 'Reason'], { tooltip: true, hiddenByDefault: true }),
};

/** For a page with one kind of export. */
export const plainExportColumns = [
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
] as const;

export const exportLogColumns = ['kind', ...plainExportColumns] as const;

/** Ids of the requested export. */
export interface RequestedExport {
  readonly id: number;
  readonly job_id: number;
}

/** Only the operator who requested an export can download it, because the file has their scope. */
export const downloadExport: Action = {
  on: 'row',
  label: ['下载', 'Download'],
  call: exportCalls.download,
  download: true,
  when: (row) => exportState.can('download', row.status) && typeof row.file_url === 'string',
  why: ['导出成功后，由发起人下载', 'The creator can download it after the export succeeds'],
};

const notRunning = {
  when: (row: AnyRow) => exportState.can('remove', row.status),
  why: ['正在导出的任务不能删除', 'A running export cannot be deleted'],
} as const satisfies Partial<Action>;

/** Actions of an export log whose exports can be retried and deleted. */
export const exportLogActions = (calls: { readonly retry: Endpoint; readonly remove: Endpoint; readonly removeMany: Endpoint }) =>
  ({
    deleteBatch: {
      on: 'batch',
      label: ['批量删除', 'Delete'],
      call: calls.removeMany,
      confirm: ['确定删除所选导出记录吗？', 'Delete the selected export records?'],
      danger: true,
      ...notRunning,
    },
    download: downloadExport,
    retry: {
      on: 'row',
      label: ['重新导出', 'Export again'],
      call: calls.retry,
      confirm: ['确定重新导出吗？', 'Export again?'],
      when: (row) => exportState.can('retry', row.status),
      why: ['仅失败的任务可重新导出', 'Only a failed export can be run again'],
    },
    delete: removeAction(calls.remove, ['导出记录', 'export record'], { ...notRunning }),
  }) as const satisfies Record<string, Action>;
