import { retryInput } from '../export/export.ts';
import { exportLogActions, exportLogFields, plainExportColumns, type RequestedExport } from '../export/export-log.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { option } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';

export const dockerExport = resource({
  fields: { ...exportLogFields, vno_id: option(['所属VNO', 'VNO'], 'agent/option') },
  title: ['job_id', 'file_name'],
  columns: plainExportColumns,
  filters: ['status', 'file_name', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const dockerExportCalls = calls('log', ['docker_export_log'], {
  list: { kind: 'list', path: 'docker_info/export', summary: ['查询Docker导出日志', 'List Docker export jobs'], resource: dockerExport },
  retry: {
    kind: 'command',
    path: 'docker_info/export/{id}',
    summary: ['重新导出Docker日志', 'Run a failed Docker export again'],
    input: retryInput,
    shape: shape<RequestedExport>(),
  },
  remove: { kind: 'delete', path: 'docker_info/export/{id}', summary: ['删除Docker导出记录', 'Delete a Docker export job'] },
  removeMany: {
    kind: 'delete',
    path: 'docker_info/export',
    summary: ['批量删除Docker导出记录', 'Delete several Docker export jobs'],
    input: { ids },
    shape: batchShape,
  },
});

export const dockerExportLog = page({
  ...headOf('dockerExportLog'),
  resource: dockerExport,
  list: dockerExportCalls.list,
  forms: {},
  actions: exportLogActions(dockerExportCalls),
});
