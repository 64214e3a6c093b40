import { calls } from '../kit/endpoint.ts';
import { int, text } from '../kit/field.ts';
import { page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { auditExport, auditFields, deviceColumns, exact, exportRows, firstFilters, revealRow, sessionsOfRow } from './audit-fields.ts';
import { authAction } from './choices.ts';

export const identityRows = resource({
  fields: {
    ...auditFields,
    app_name: text(['应用名称', 'Application'], { sort: 'newest', width: 130, ...exact }),
    identity: text(['虚拟身份账号', 'Virtual identity'], { mask: true, tooltip: true, width: 170, ...exact }),
    action: text(['行为', 'Action'], { codes: authAction, width: 110 }),
    server_ip: text(['目的IP', 'Server IP'], { mono: true, hiddenByDefault: true, width: 130 }),
    server_port: int(['目的端口', 'Server port'], { hiddenByDefault: true, width: 110 }),
  },
  title: ['account', 'app_name'],
  columns: ['account', 'ip', 'mac', 'app_name', 'identity', 'action', 'server_ip', 'server_port', ...deviceColumns],
  filters: [...firstFilters, 'app_name', 'identity', 'vno_id'],
  orderby: 'create_at desc',
});

export const auditIdentityCalls = calls('audit', ['virtual_identity'], {
  list: { kind: 'list', path: 'audit/account', summary: ['查询虚拟身份', 'List virtual identities'], resource: identityRows },
  export: { ...auditExport, path: 'audit/export/account', summary: ['导出虚拟身份', 'Export virtual identities'], resource: identityRows },
});

export const virtualIdentity = page({
  ...headOf('virtualIdentity'),
  resource: identityRows,
  list: auditIdentityCalls.list,
  forms: {},
  actions: { export: { ...exportRows, call: auditIdentityCalls.export }, reveal: revealRow, sessions: sessionsOfRow },
});
