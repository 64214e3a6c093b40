import { commonStatus } from '../choices.ts';
import { exportFormat } from '../export/export.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, file, int, longText, pick, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { rules, uploads } from '../rules.ts';
import { dangerDomainRule } from './danger-domain.ts';
import { type DangerListState, dangerGateway } from './danger-gateway.ts';
import type { DangerImport } from './danger-import.ts';

export const blacklistKind = [
  { id: 'gambling', label: ['涉赌', 'Gambling'], color: 'red' },
  { id: 'fraud', label: ['涉诈', 'Fraud'], color: 'volcano' },
  { id: 'porn', label: ['涉黄', 'Pornography'], color: 'magenta' },
  { id: 'malware', label: ['恶意程序', 'Malware'], color: 'purple' },
  { id: 'other', label: ['其他', 'Other'], color: 'default' },
] as const;

const fields = {
  domain: text(['网址', 'Domain'], {
    required: true,
    rules: [dangerDomainRule],
    max: 255,
    sort: true,
    tooltip: true,
    width: 240,
    tips: [
      '填写域名或完整网址，只保存域名；子域名一并拦截',
      'A domain or a complete address. Only the domain is kept; its subdomains are blocked too.',
    ],
  }),
  kind: choice(['类别', 'Kind'], blacklistKind, { required: true, default: 'other', width: 120 }),
  hit_count: int(['命中次数', 'Hits'], {
    sort: true,
    width: 110,
    tips: ['网关上报的拦截次数', 'Visits that gateways reported as blocked'],
  }),
  status: choice(['状态', 'Status'], commonStatus, { default: 1, width: 100 }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512, tooltip: true, width: 200 }),
  creator: text(['创建人', 'Created by'], { width: 130 }),
  create_at: time(['创建时间', 'Created at'], { sort: true }),
};

export const dangerSiteResource = resource({
  fields,
  title: ['domain'],
  columns: ['domain', 'kind', 'hit_count', 'status', 'remark', 'creator', 'create_at'],
  filters: ['domain', 'kind', 'status', 'create_at', 'creator'],
  orderby: 'create_at desc',
});

const input = pick(fields, 'domain', 'kind', 'status', 'remark');

/** Columns of an import file. Empty cells get the defaults of the form. */
export const dangerImportFields = {
  domain: fields.domain,
  kind: choice(fields.kind.label, blacklistKind),
  status: choice(fields.status.label, commonStatus),
  remark: fields.remark,
};

const importFile = {
  ...uploads.single_import,
  text: ['XLSX或CSV导入模板，最多100,000行，最大20MB', 'XLSX or CSV import template, at most 100,000 rows and 20 MB'],
} as const;

const importForm = form(['导入危险网站', 'Import dangerous sites'], {
  file: file(['导入文件', 'File'], {
    required: true,
    upload: importFile,
    tips: ['重复或有误的行不导入，并列入报告', 'Duplicate and invalid rows are not imported. The report lists them.'],
  }),
});

/** Whether a host would be blocked, and by which entry. */
export interface DangerTest {
  /** Host that a browser would request, as shown. */
  readonly host: string;
  readonly is_blocked: boolean;
  /** The nearest entry for the host, enabled or not. */
  readonly entry: {
    readonly id: number;
    readonly domain: string;
    readonly kind: (typeof blacklistKind)[number]['id'];
    readonly status: 0 | 1;
  } | null;
}

const path = 'website/blacklist';

export const dangerSiteCalls = calls('advanced', ['danger_site'], {
  list: { kind: 'list', path, summary: ['查询危险网站', 'List dangerous websites'], resource: dangerSiteResource },
  create: { kind: 'create', path, summary: ['新增危险网站', 'Create a dangerous website'], input, output: idOutput },
  update: { kind: 'update', path: `${path}/{id}`, summary: ['修改危险网站', 'Change a dangerous website'], input, versioned: true },
  remove: { kind: 'delete', path: `${path}/{id}`, summary: ['删除危险网站', 'Delete a dangerous website'] },
  removeMany: {
    kind: 'delete',
    path,
    summary: ['批量删除危险网站', 'Delete several dangerous websites'],
    input: { ids },
    shape: batchShape,
  },
  test: {
    kind: 'detail',
    path: `${path}/test`,
    summary: ['测试网址是否会被拦截', 'Test whether an address would be blocked'],
    input: { domain: text(['网址', 'Address'], { required: true, rules: [dangerDomainRule], max: 255 }) },
    shape: shape<DangerTest>(),
  },
  import: {
    kind: 'command',
    path: `${path}/import`,
    summary: ['导入危险网站', 'Import dangerous websites'],
    input: importForm.fields,
    output: idOutput,
  },
  imported: {
    kind: 'detail',
    path: `${path}/import/{id}`,
    summary: ['导入进度与结果', 'Progress and result of an import'],
    shape: shape<DangerImport>(),
  },
  report: {
    kind: 'file',
    path: `${path}/import/{id}/report`,
    summary: ['下载未导入的行', 'Download the rows that were not imported'],
    input: { format: choice(['文件格式', 'File format'], exportFormat, { default: 'xlsx' }) },
    shape: shape<unknown>(),
  },
  template: { kind: 'file', path: `${path}/template`, summary: ['下载导入模板', 'Download the import template'], shape: shape<unknown>() },
  state: {
    kind: 'detail',
    path: `${path}/state`,
    summary: ['名单下发情况', 'Delivery of the list'],
    shape: shape<DangerListState>(),
  },
  gateways: {
    kind: 'list',
    path: `${path}/gateway`,
    summary: ['查询网关的名单版本', 'List the revisions on gateways'],
    resource: dangerGateway,
  },
});

export const dangerSite = page({
  ...headOf('dangerSite'),
  resource: dangerSiteResource,
  list: dangerSiteCalls.list,
  forms: {
    create: form(['新增危险网站', 'New dangerous site'], input),
    edit: form(['编辑危险网站', 'Edit dangerous site'], input),
    import: importForm,
  },
  actions: {
    create: { on: 'toolbar', label: ['新增网站', 'New site'], call: dangerSiteCalls.create, form: 'create' },
    import: {
      on: 'toolbar',
      label: ['导入', 'Import'],
      call: dangerSiteCalls.import,
      form: 'import',
      done: ['导入已开始', 'The import has started'],
    },
    template: { on: 'toolbar', label: ['导入模板', 'Import template'], call: dangerSiteCalls.template, download: true },
    deleteBatch: {
      on: 'batch',
      label: ['批量删除', 'Delete'],
      call: dangerSiteCalls.removeMany,
      confirm: ['确定删除所选网站吗？', 'Delete the selected sites?'],
      danger: true,
    },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: dangerSiteCalls.update, form: 'edit' },
    delete: removeAction(dangerSiteCalls.remove, ['网站', 'site']),
  },
});
