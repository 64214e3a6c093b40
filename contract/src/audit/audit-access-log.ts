import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { reason } from './audit-fields.ts';
import { auditPage, lookAction } from './choices.ts';

export const accessRows = resource({
  fields: {
    username: text(['操作账号', 'Account'], { match: 'start', mono: true, width: 130 }),
    name: text(['操作人', 'Operator'], { width: 120 }),
    acted_by: text(['实际操作人', 'Acted by'], { width: 120 }),
    // `page` is the number of the page of a list.
    page_key: choice(['页面', 'Page'], auditPage, { width: 130 }),
    action: choice(['动作', 'Action'], lookAction, { width: 110 }),
    condition: text(['筛选条件', 'Filters'], { tooltip: true, width: 280 }),
    row_count: int(['查看行数', 'Rows'], { width: 90 }),
    look_count: int(['次数', 'Times'], { width: 80 }),
    reason: text(['原因', 'Reason'], { tooltip: true, width: 220 }),
    ip: text(['IP地址', 'IP address'], { mono: true, hiddenByDefault: true, width: 130 }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, width: 150, to: references.vno }),
    create_at: time(['时间', 'Time'], { sort: true, months: limits.queryMonths, width: 164 }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['username', 'page_key'],
  columns: [
    'create_at',
    'username',
    'name',
    'acted_by',
    'page_key',
    'action',
    'condition',
    'row_count',
    'look_count',
    'reason',
    'ip',
    'agent_name',
  ],
  filters: ['username', 'page_key', 'action', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

const pageInput = { page: choice(['页面', 'Page'], auditPage, { required: true }) };

export const auditAccessLogCalls = calls('audit', ['audit_look'], {
  list: { kind: 'list', path: 'audit/look', summary: ['查询审计数据的查看记录', 'List accesses to audit data'], resource: accessRows },
  // Also for roles that may only read, so the page right is checked by the handler.
  readReason: {
    kind: 'detail',
    path: 'audit/reason',
    access: 'session',
    summary: ['是否已填写查看原因', 'Whether this session has given a reason'],
    input: pageInput,
    shape: shape<{ readonly reason: string | null }>(),
  },
  giveReason: {
    kind: 'command',
    path: 'audit/reason',
    access: 'session',
    summary: ['填写查看原因', 'Give the reason to look at audit data'],
    input: { ...pageInput, reason },
  },
});

export const auditLook = page({ ...headOf('auditLook'), resource: accessRows, list: auditAccessLogCalls.list, forms: {}, actions: {} });
