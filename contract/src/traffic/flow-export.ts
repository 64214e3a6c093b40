import { retryInput } from '../export/export.ts';
import { exportLogActions, exportLogFields, plainExportColumns, type RequestedExport } from '../export/export-log.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, operateKey, shape } from '../kit/endpoint.ts';
import { choice, option } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { dataType } from './choices.ts';
import { trafficCalls } from './traffic.ts';

export const flowExportKeys = Object.values(trafficCalls).map((kind) => operateKey(kind.export));

export const flowExportRows = resource({
  fields: {
    data_type: choice(['数据类型', 'Data type'], dataType),
    ...exportLogFields,
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['job_id', 'file_name'],
  columns: ['data_type', ...plainExportColumns],
  filters: ['data_type', 'status', 'file_name', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const flowExportCalls = calls('flow', ['flow_export'], {
  list: {
    kind: 'list',
    path: 'traffic/export',
    summary: ['查询流量导出日志', 'List traffic and DPI export jobs'],
    resource: flowExportRows,
  },
  retry: {
    kind: 'command',
    path: 'traffic/export/{id}',
    summary: ['重新导出流量', 'Run a failed traffic export again'],
    input: retryInput,
    shape: shape<RequestedExport>(),
  },
  remove: { kind: 'delete', path: 'traffic/export/{id}', summary: ['删除流量导出记录', 'Delete a traffic export job'] },
  removeMany: {
    kind: 'delete',
    path: 'traffic/export',
    summary: ['批量删除流量导出记录', 'Delete several traffic export jobs'],
    input: { ids },
    shape: batchShape,
  },
});

export const flowExport = page({
  ...headOf('flowExport'),
  resource: flowExportRows,
  list: flowExportCalls.list,
  forms: {},
  actions: exportLogActions(flowExportCalls),
});
