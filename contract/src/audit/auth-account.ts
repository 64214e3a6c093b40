import { calls } from '../kit/endpoint.ts';
import { choice, text, time, variant } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { phoneColumn } from '../phone.ts';
import { auditExport, auditFields, deviceColumns, exportRows, firstFilters, revealRow, sealed, sessionsOfRow } from './audit-fields.ts';
import { eraseForm, eraseRow } from './audit-reveal.ts';
import { authAction } from './choices.ts';
import { auditTerminalCalls, terminalFields, terminalRows, terminalView } from './terminal-acquisition.ts';

const fields = {
  ...auditFields,
  create_at: variant(auditFields.create_at, { hiddenByDefault: true }),
  name: text(['姓名', 'Full name'], { ...sealed, width: 110 }),
  phone: text(['手机号', 'Phone'], { ...sealed, ...phoneColumn, hiddenByDefault: true }),
  id_number: text(['证件号码', 'ID number'], { ...sealed, hiddenByDefault: true, mono: true, width: 190 }),
  auth_action: choice(['认证动作', 'Action'], authAction, { width: 100 }),
  login_at: time(['上线时间', 'Online at'], { sort: true, width: 164 }),
  logout_at: time(['下线时间', 'Offline at'], { sort: true, width: 164 }),
  public_ip: text(['公网IP', 'Public IP'], { mono: true, hiddenByDefault: true, width: 130 }),
  port_range: text(['端口段', 'Port range'], { mono: true, hiddenByDefault: true, width: 120 }),
};

const columns = [
  'account',
  'ip',
  'mac',
  'name',
  'phone',
  'id_number',
  'auth_action',
  'login_at',
  'logout_at',
  'public_ip',
  'port_range',
  ...deviceColumns,
] as const;
const filters = [...firstFilters, 'name', 'phone', 'auth_action', 'vno_id'] as const;

export const authRows = resource({ fields, title: ['account', 'device_name'], columns, filters, orderby: 'create_at desc' });

/** Both views of the call: authentication records, and terminals. Each view needs the right of its page. */
export const authAndTerminalRows = resource({
  fields: { ...terminalFields, ...fields, mac: terminalFields.mac },
  title: ['account', 'device_name'],
  columns: [...columns, 'brand', 'terminal_os', 'ssid', 'signal', 'first_at', 'last_at'],
  filters: [...filters, 'terminal_os', 'last_at', 'ssid'],
  orderby: 'create_at desc',
});

export const auditAuthCalls = calls('audit', ['auth_account'], {
  list: {
    kind: 'list',
    path: 'audit/auth',
    access: ['auth_account', 'terminal_acquisition'],
    summary: ['查询认证账号、终端采集', 'List authentication records; view=terminal lists terminals'],
    resource: authAndTerminalRows,
    input: terminalView,
  },
  export: { ...auditExport, path: 'audit/export/auth', summary: ['导出认证账号', 'Export authentication records'], resource: authRows },
});

export const authAccount = page({
  ...headOf('authAccount'),
  resource: authRows,
  list: auditAuthCalls.list,
  forms: { erase: eraseForm },
  actions: { export: { ...exportRows, call: auditAuthCalls.export }, reveal: revealRow, sessions: sessionsOfRow, erase: eraseRow },
});

export const terminalAcquisition = page({
  ...headOf('terminalAcquisition'),
  resource: terminalRows,
  list: auditAuthCalls.list,
  listParams: { view: 'terminal' },
  forms: {},
  actions: { export: { ...exportRows, call: auditTerminalCalls.export } },
});
