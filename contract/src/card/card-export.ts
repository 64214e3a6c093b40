import { downloadExport, exportLogColumns, exportLogFields } from '../export/export-log.ts';
import { calls } from '../kit/endpoint.ts';
import { choice } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { cardExportKind } from './choices.ts';

export const cardExportResource = resource({
  fields: { kind: choice(['导出类型', 'Kind'], cardExportKind), ...exportLogFields },
  title: ['job_id', 'file_name'],
  columns: exportLogColumns,
  filters: ['kind', 'status', 'file_name', 'operator', 'create_at'],
  orderby: 'create_at desc',
});

export const cardExportCalls = calls('card', ['card_export'], {
  list: { kind: 'list', path: 'recharge_card/export', summary: ['充值卡导出记录', 'List card export jobs'], resource: cardExportResource },
});

export const cardExport = page({
  ...headOf('cardExport'),
  resource: cardExportResource,
  list: cardExportCalls.list,
  forms: {},
  actions: { download: downloadExport },
});
