import { exportInput } from '../export/export.ts';
import { exportLogFields, plainExportColumns, type RequestedExport } from '../export/export-log.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { exportActions } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { deviceFields } from '../log/device-fields.ts';
import { headOf } from '../menu.ts';
import { opResult } from '../user/choices.ts';

export const roleAssign = resource({
  fields: {
    ...deviceFields,
    username: text(['网关账号', 'Gateway account'], { mono: true, width: 150 }),
    role_name: text(['分配角色', 'Assigned role'], { tooltip: true, width: 150 }),
    before: text(['变更前权限', 'Before'], { tooltip: true, hiddenByDefault: true, width: 220 }),
    after: text(['变更后权限', 'After'], { tooltip: true, hiddenByDefault: true, width: 220 }),
    result: choice(['结果', 'Result'], opResult),
    message: text(['失败原因', 'Reason'], { tooltip: true, hiddenByDefault: true, width: 200 }),
    operator: text(['操作人', 'Operator'], { match: 'name' }),
    ip: text(['操作IP', 'IP'], { mono: true, hiddenByDefault: true, width: 140 }),
    create_at: time(['分配时间', 'Assigned at'], { sort: true, months: limits.queryMonths }),
    role_id: option(['分配角色', 'Role'], 'customer/role/option'),
  },
  title: ['username', 'device_name'],
  columns: [
    'device_name',
    'sn',
    'username',
    'role_name',
    'before',
    'after',
    'result',
    'message',
    'operator',
    'ip',
    'agent_name',
    'create_at',
  ],
  filters: ['device_id', 'sn', 'operator', 'result', 'create_at', 'role_id', 'vno_id'],
  orderby: 'create_at desc',
});

const exportRows = resource({
  fields: exportLogFields,
  title: ['job_id', 'file_name'],
  columns: plainExportColumns,
  filters: [],
  orderby: 'create_at desc',
});

export const assignLogCalls = calls('device', ['assign_log'], {
  list: {
    kind: 'list',
    path: 'dev_role_assign_log/device/list',
    summary: ['查询权限分配日志', 'List gateway permission assignments'],
    resource: roleAssign,
  },
  export: {
    kind: 'export',
    path: 'dev_role_assign_log/device/export',
    summary: ['导出权限分配日志', 'Start an export of permission assignments'],
    resource: roleAssign,
    input: exportInput,
    shape: shape<RequestedExport>(),
  },
  exports: {
    kind: 'list',
    path: 'dev_role_assign_log/device/export',
    summary: ['权限分配导出记录', 'List the export jobs of permission assignments'],
    resource: exportRows,
  },
});

export const assignLog = page({
  ...headOf('assignLog'),
  resource: roleAssign,
  list: assignLogCalls.list,
  forms: {},
  actions: {
    ...exportActions(assignLogCalls),
  },
});
