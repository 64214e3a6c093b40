import { downloadExport, exportLogColumns, exportLogFields } from '../export/export-log.ts';
import { billCalls } from '../finance/bill.ts';
import { calls, operateKey } from '../kit/endpoint.ts';
import { choice, option } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { userBillCalls } from '../user/user-bill.ts';

export const billExportKind = [
  { id: 'counter', label: ['柜台账单', 'Counter bills'], color: 'blue' },
  { id: 'electronic', label: ['在线账单', 'Online bills'], color: 'green' },
  { id: 'card', label: ['充值卡账单', 'Card bills'], color: 'gold' },
  { id: 'user', label: ['开户账单', 'Account-opening bills'], color: 'purple' },
] as const;

/** Export call of each kind. */
export const billExportCalls = {
  counter: billCalls.exportCounter,
  electronic: billCalls.exportOnline,
  card: billCalls.exportCard,
  user: userBillCalls.export,
} as const satisfies Record<(typeof billExportKind)[number]['id'], unknown>;

export const billExportKeys = Object.values(billExportCalls).map(operateKey);

export const billExport = resource({
  fields: {
    kind: choice(['账单类型', 'Kind'], billExportKind),
    ...exportLogFields,
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['job_id', 'file_name'],
  columns: exportLogColumns,
  filters: ['kind', 'status', 'file_name', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const billExportLogCalls = calls('log', ['bill_export_log'], {
  list: { kind: 'list', path: 'bill/export', summary: ['查询账单导出日志', 'List bill export jobs'], resource: billExport },
});

export const billExportLog = page({
  ...headOf('billExportLog'),
  resource: billExport,
  list: billExportLogCalls.list,
  forms: {},
  actions: { download: downloadExport },
});
