import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, progress, text, time } from '../kit/field.ts';
import { machine } from '../kit/machine.ts';
import { resource } from '../kit/resource.ts';

/** spec §4: the eleven states of an export; each of the stages 2 → 4 → 6 → 8 → 1 has a separate failure state. */
export const exportState = machine(
  {
    waiting: { id: 0, label: ['未导出', 'Not exported'], color: 'default' },
    succeeded: { id: 1, label: ['导出成功', 'Succeeded'], color: 'green' },
    exporting: { id: 2, label: ['导出中', 'Exporting'], color: 'blue' },
    failed: { id: 3, label: ['导出失败', 'Failed'], color: 'red' },
    consolidating: { id: 4, label: ['数据整合中', 'Consolidating data'], color: 'blue' },
    consolidation_failed: { id: 5, label: ['数据整合失败', 'Consolidation failed'], color: 'red' },
    generating: { id: 6, label: ['文件生成中', 'Generating file'], color: 'blue' },
    generation_failed: { id: 7, label: ['文件生成失败', 'Generation failed'], color: 'red' },
    uploading: { id: 8, label: ['上传中', 'Uploading'], color: 'blue' },
    upload_failed: { id: 9, label: ['上传失败', 'Upload failed'], color: 'red' },
    no_data: { id: 10, label: ['无数据', 'No data'], color: 'orange' },
  },
  {
    start: { from: ['waiting'], to: 'exporting' },
    download: { from: ['succeeded'], to: 'succeeded' },
    cancel: { from: ['waiting', 'exporting', 'consolidating', 'generating', 'uploading'], to: 'failed' },
    retry: { from: ['failed', 'consolidation_failed', 'generation_failed', 'upload_failed'], to: 'waiting' },
    remove: {
      from: ['waiting', 'succeeded', 'failed', 'consolidation_failed', 'generation_failed', 'upload_failed', 'no_data'],
      to: 'failed',
    },
  },
);

export const exportFormat = [
  { id: 'csv', label: ['CSV', 'CSV'] },
  { id: 'xlsx', label: ['Excel (XLSX)', 'Excel (XLSX)'] },
] as const;

/** Input of every export call, in addition to the filters of its list. */
export const exportInput = { format: choice(['文件格式', 'File format'], exportFormat, { default: 'csv' }) };

/** Input of a retry: without a format, that of the first attempt is kept. */
export const retryInput = { format: choice(['文件格式', 'File format'], exportFormat) };

/** Output of every export call: the export, under both names of the specification. */
export const exportOutput = {
  id: int(['导出编号', 'Export ID'], { required: true }),
  job_id: int(['任务编号', 'Job ID'], { required: true }),
};

export const exportJob = resource({
  fields: {
    title: text(['导出内容', 'Export'], { tooltip: true }),
    state: choice(['状态', 'State'], exportState.options),
    progress: progress(['进度', 'Progress']),
    row_count: int(['行数', 'Rows']),
    file_name: text(['文件名', 'File name'], { tooltip: true }),
    file_size: int(['文件大小', 'Size']),
    message: text(['失败原因', 'Reason'], { tooltip: true }),
    create_at: time(['创建时间', 'Created at'], { sort: true }),
    finish_at: time(['完成时间', 'Finished at']),
  },
  title: ['title', 'create_at'],
  columns: ['title', 'state', 'progress', 'row_count', 'file_name', 'file_size', 'message', 'create_at', 'finish_at'],
  filters: ['state', 'create_at'],
  orderby: 'create_at desc',
});

/** Operators see, download and cancel only their own exports. */
export const exportCalls = calls('log', 'session', {
  list: { kind: 'list', path: 'export', summary: ['我的导出任务', 'My exports'], resource: exportJob },
  download: { kind: 'file', path: 'export/download/{id}', summary: ['下载导出文件', 'Download an exported file'], shape: shape<unknown>() },
  remove: { kind: 'delete', path: 'export/{id}', summary: ['取消或删除导出任务', 'Cancel or remove an export'] },
});
