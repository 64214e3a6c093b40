import { dangerSiteCalls } from '../advanced/danger-site.ts';
import { calls } from '../kit/endpoint.ts';
import { int, pick, text, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { mayCall } from '../rights.ts';
import { auditFields, deviceColumns, exact, exportRows, firstFilters, plainExport, sessionsOfRow } from './audit-fields.ts';
import { siteCategory } from './choices.ts';

const hostOnly = [
  'HTTPS加密，网关只能看到站点域名，因此为空',
  'Empty for HTTPS: the connection is encrypted and the gateway sees only the host.',
] as const;

export const urlRows = resource({
  fields: {
    ...auditFields,
    create_at: variant(auditFields.create_at, { label: ['访问时间', 'Visited at'] }),
    host: text(['站点域名', 'Host'], { sort: 'newest', tooltip: true, noTruncate: true, width: 240, ...exact }),
    url: text(['访问地址', 'URL'], { tooltip: true, width: 200, tips: hostOnly }),
    title: text(['页面标题', 'Page title'], { tooltip: true, hiddenByDefault: true, width: 180, tips: hostOnly }),
    category: text(['站点分类', 'Category'], { codes: siteCategory, width: 120, ...exact }),
    server_ip: text(['目的IP', 'Server IP'], { mono: true, hiddenByDefault: true, width: 130 }),
    server_port: int(['目的端口', 'Server port'], { hiddenByDefault: true, width: 110 }),
  },
  title: ['account', 'host'],
  columns: ['account', 'ip', 'mac', 'host', 'url', 'title', 'category', 'server_ip', 'server_port', ...deviceColumns],
  filters: [...firstFilters, 'host', 'url', 'category', 'vno_id'],
  orderby: 'create_at desc',
});

export const auditUrlCalls = calls('audit', ['network_url'], {
  list: { kind: 'list', path: 'audit/url', summary: ['查询网络站点', 'List visited sites'], resource: urlRows },
  export: { ...plainExport, path: 'audit/export/url', summary: ['导出网络站点', 'Export visited sites'], resource: urlRows },
});

export const networkURL = page({
  ...headOf('networkURL'),
  resource: urlRows,
  list: auditUrlCalls.list,
  forms: { blacklist: form(['加入危险网站', 'Add to dangerous sites'], pick(dangerSiteCalls.create.input, 'domain', 'kind', 'remark')) },
  actions: {
    export: { ...exportRows, call: auditUrlCalls.export },
    // One form per selected host. The call needs the right of the page `dangerSite`.
    blacklist: {
      on: 'batch',
      label: ['加入危险网站', 'Add to dangerous sites'],
      form: 'blacklist',
      platform: 'admin',
      when: (_, me) => mayCall(dangerSiteCalls.create, me),
      why: ['需要危险网站的新增权限', 'You need the right to add dangerous sites'],
    },
    sessions: sessionsOfRow,
  },
});
