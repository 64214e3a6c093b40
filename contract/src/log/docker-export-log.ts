import { type ExportOrdered, exportLogActions, exportLogFields, plainExportColumns } from '../export/export-log.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { endpoint, shape } from '../kit/endpoint.ts';
import { option } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';

export const dockerExport = resource({
  fields: { ...exportLogFields, vno_id: option(['所属VNO', 'VNO'], 'agent/option') },
  columns: plainExportColumns,
  filters: ['status', 'file_name', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

const access = ['docker_export_log'] as const;

export const dockerExportCalls = {
  list: endpoint({
    method: 'GET',
    path: 'docker_info/export',
    kind: 'list',
    module: 'log',
    access,
    summary: ['查询Docker导出日志', 'List Docker export jobs'],
    resource: dockerExport,
  }),
  retry: endpoint({
    method: 'POST',
    path: 'docker_info/export/{id}',
    kind: 'command',
    module: 'log',
    access,
    summary: ['重新导出Docker日志', 'Run a failed Docker export again'],
    shape: shape<ExportOrdered>(),
  }),
  remove: endpoint({
    method: 'DELETE',
    path: 'docker_info/export/{id}',
    kind: 'delete',
    module: 'log',
    access,
    summary: ['删除Docker导出记录', 'Delete a Docker export job'],
  }),
  removeMany: endpoint({
    method: 'DELETE',
    path: 'docker_info/export',
    kind: 'delete',
    module: 'log',
    access,
    summary: ['批量删除Docker导出记录', 'Delete several Docker export jobs'],
    input: { ids },
    shape: batchShape,
  }),
};

export const dockerExportLog = page({
  ...headOf('dockerExportLog'),
  resource: dockerExport,
  list: dockerExportCalls.list,
  forms: {},
  actions: exportLogActions(dockerExportCalls),
});
