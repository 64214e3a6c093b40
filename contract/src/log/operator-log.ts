import { exportInput, exportOutput } from '../export/export.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, option, text, time } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';

const logModule = [
  { id: 'vno', label: ['VNO管理', 'VNO'] },
  { id: 'user', label: ['用户管理', 'User'] },
  { id: 'device', label: ['设备管理', 'Device'] },
  { id: 'file', label: ['文件管理', 'File'] },
  { id: 'firmware', label: ['固件管理', 'Firmware'] },
  { id: 'market', label: ['市场配置', 'Marketing'] },
  { id: 'finance', label: ['财务信息', 'Finance'] },
  { id: 'package', label: ['套餐管理', 'Package'] },
  { id: 'flow', label: ['流量管理', 'Traffic'] },
  { id: 'card', label: ['充值卡', 'Card'] },
  { id: 'permission', label: ['权限管理', 'Permission'] },
  { id: 'feedback', label: ['问题反馈', 'Feedback'] },
  { id: 'advanced', label: ['高级设置', 'Advanced'] },
  { id: 'audit', label: ['审计数据', 'Audit data'] },
  { id: 'log', label: ['日志管理', 'Log'] },
  { id: 'auth', label: ['登录登出', 'Sign-in'] },
] as const;

const logAction = [
  { id: 'login', label: ['登录', 'Login'], color: 'blue' },
  { id: 'logout', label: ['登出', 'Logout'], color: 'default' },
  { id: 'create', label: ['新增', 'Create'], color: 'green' },
  { id: 'update', label: ['修改', 'Update'], color: 'orange' },
  { id: 'delete', label: ['删除', 'Delete'], color: 'red' },
  { id: 'export', label: ['导出', 'Export'], color: 'cyan' },
  { id: 'command', label: ['下发', 'Command'], color: 'purple' },
] as const;

const opResult = [
  { id: 'success', label: ['成功', 'Success'], color: 'green' },
  { id: 'fail', label: ['失败', 'Failed'], color: 'red' },
] as const;

export type LogAction = (typeof logAction)[number]['id'];

const fields = {
  username: text(['操作账号', 'Account'], { sort: 'newest', match: 'code' }),
  name: text(['操作人', 'Operator']),
  acted_by: text(['实际操作人', 'Acted by'], { match: 'code', tooltip: true }),
  module: choice(['功能模块', 'Module'], logModule),
  action: choice(['操作类型', 'Action'], logAction),
  content: text(['操作内容', 'Content'], { match: 'code', noTruncate: true, width: 320 }),
  result: choice(['结果', 'Result'], opResult),
  message: text(['失败原因', 'Reason'], { tooltip: true, hiddenByDefault: true }),
  ip: text(['登录IP', 'IP'], { match: 'start', mono: true }),
  user_agent: text(['客户端', 'Client'], { tooltip: true, hiddenByDefault: true }),
  create_at: time(['操作时间', 'Operated at'], { sort: true, months: limits.queryMonths }),
  agent_name: text(['下级VNO', 'Child VNO'], { tooltip: true }),
  vno_id: option(['下级VNO', 'Child VNO'], 'agent/option'),
};

export const operatorLog = resource({
  fields,
  title: ['content', 'username'],
  columns: ['username', 'name', 'acted_by', 'module', 'action', 'content', 'result', 'message', 'ip', 'user_agent', 'create_at'],
  filters: ['username', 'acted_by', 'module', 'action', 'create_at', 'result', 'content', 'ip'],
  orderby: 'create_at desc',
});

export const childLog = resource({
  fields,
  title: ['content', 'agent_name'],
  columns: [
    'agent_name',
    'username',
    'name',
    'acted_by',
    'module',
    'action',
    'content',
    'result',
    'message',
    'ip',
    'user_agent',
    'create_at',
  ],
  filters: ['vno_id', 'username', 'acted_by', 'module', 'action', 'create_at', 'result', 'content', 'ip'],
  orderby: 'create_at desc',
});

/** Changes by field; a secret shows only that it changed. */
export interface Difference {
  readonly field: string;
  /** Label and values in the reader's language. */
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

export type LogResult = (typeof opResult)[number]['id'];

export interface LogDetail {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly agent_name: string;
  /** The operator who had logged in as this account. */
  readonly acted_by: string | null;
  readonly content: string;
  readonly result: LogResult;
  readonly message: string | null;
  readonly ip: string;
  readonly user_agent: string;
  readonly create_at: number;
  readonly differences: readonly Difference[];
}

export const logCalls = calls('log', ['system_log'], {
  own: { kind: 'list', path: 'syslog', summary: ['查询操作日志', 'List the operator log'], resource: operatorLog },
  children: {
    kind: 'list',
    path: 'syslog/child',
    access: ['sub_account_log'],
    summary: ['查询下级VNO日志', 'List the operator log of lower-level VNOs'],
    resource: childLog,
  },
  read: {
    kind: 'detail',
    path: 'syslog/{id}',
    access: ['system_log', 'sub_account_log'],
    summary: ['查看操作日志', 'Read one log entry with its changes'],
    shape: shape<LogDetail>(),
  },
  export: {
    kind: 'export',
    path: 'syslog/export',
    summary: ['导出操作日志', 'Export the operator log'],
    resource: operatorLog,
    input: exportInput,
    output: exportOutput,
  },
});

const detail = { on: 'row', label: ['详情', 'Details'], call: logCalls.read } as const;

export const systemLog = page({
  ...headOf('systemLog'),
  resource: operatorLog,
  list: logCalls.own,
  forms: {},
  actions: { export: { on: 'toolbar', label: ['导出', 'Export'], call: logCalls.export }, detail },
});

export const subAccountLog = page({
  ...headOf('subAccountLog'),
  resource: childLog,
  list: logCalls.children,
  forms: {},
  actions: { detail },
});
