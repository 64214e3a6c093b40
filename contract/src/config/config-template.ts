import { remarkField } from '../device/device-fields.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, document, int, items, link, option, pick, tags, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { across, matches, type Rule } from '../kit/rule.ts';
import { fill } from '../kit/text.ts';
import type { Values } from '../kit/values.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { rules } from '../rules.ts';
import { configCampaignCalls } from './campaign.ts';
import type { ConfigProblemView, DifferenceView, Origin } from './config.ts';

/**
 * A template sets some values of some configuration pages, for the devices of its level. A device inherits from the platform, then from its
 * VNOs from the top down, then from its group. Later levels win, and values of the device itself win over all.
 */

/** JSON values. */
type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
type JsonObject = { readonly [key: string]: Json };

/** Template values of one page: some fields of a form, or some rows of a list by key, each with some fields. Null clears a value. */
export interface TemplatePart {
  readonly set?: JsonObject;
  readonly rows?: readonly TemplateRow[];
}
export interface TemplateRow {
  readonly key: string;
  /** Changes an existing row, but does not create one. */
  readonly only?: boolean;
  readonly set: JsonObject;
}

export const templateLevel = [
  { id: 'platform', label: ['平台', 'Platform'], color: 'purple' },
  { id: 'vno', label: ['VNO', 'VNO'], color: 'blue' },
  { id: 'group', label: ['设备组', 'Device group'], color: 'cyan' },
] as const;
export type TemplateLevel = (typeof templateLevel)[number]['id'];

export const variableName = matches(
  'variable_name',
  /^[a-z][a-z0-9_]{0,31}$/,
  [
    '小写字母开头，可含小写字母、数字和下划线，最多32位',
    'Starts with a lowercase letter; lowercase letters, digits and underscores, at most 32',
  ],
  { max: 32 },
);

/** A variable for template values, used as `${name}`, with its default. */
const variableFields = {
  name: text(['变量名', 'Name'], { required: true, rules: [variableName], max: 32, mono: true }),
  label: text(['说明', 'Meaning'], { max: 64 }),
  value: text(['默认值', 'Default'], { max: 256 }),
};
export interface TemplateVariable {
  readonly name: string;
  readonly label?: string | null;
  readonly value?: string | null;
}

const namedOnce = across('named_once', ['变量名不能重复', 'Variable names must be unique'], (value) => {
  const names = Array.isArray(value) ? value.map((line: Values) => line.name) : [];
  return new Set(names).size === names.length;
});

const maxVariables = 200;
const variableCount: Rule = {
  name: 'variable_count',
  text: fill(['最多{0}个变量', 'At most {0} variables'], maxVariables),
  max: maxVariables,
  test: (value) => Array.isArray(value) && value.length <= maxVariables,
};

const fields = {
  name: link(['模板名称', 'Template name'], {
    required: true,
    rules: [rules.length(1, 64), rules.no_edge_space, rules.no_quotes],
    max: 64,
    sort: true,
    tooltip: true,
    width: 180,
  }),
  level: choice(['层级', 'Level'], templateLevel, { required: true, default: 'vno', width: 90 }),
  place: text(['作用范围', 'Applies to'], { tooltip: true, width: 140 }),
  pages: tags(['配置页', 'Pages'], { width: 200 }),
  enabled: bool(['启用', 'Enabled'], { default: true, width: 80 }),
  rank: int(['优先级', 'Priority'], {
    default: 100,
    sort: true,
    width: 90,
    rules: [rules.number_range(1, 999)],
    tips: ['同一范围内有多个模板时，数值大的优先', 'If several templates have the same scope, the higher number wins'],
  }),
  device_count: int(['覆盖设备', 'Devices'], { width: 90, tips: ['范围内、您可管理的设备', 'Devices in its scope that you can manage'] }),
  operator: text(['最后修改人', 'Last changed by'], { width: 120 }),
  update_at: time(['修改时间', 'Changed at'], { sort: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true, hiddenByDefault: true }),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option', {
    required: true,
    when: (v) => v.level === 'vno',
    lookupParams: { subject: 'template' },
  }),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option', { required: true, when: (v) => v.level === 'group' }),
  ...remarkField,
};

export const templateResource = resource({
  fields,
  title: ['name', 'place'],
  columns: ['name', 'level', 'place', 'pages', 'enabled', 'rank', 'device_count', 'operator', 'update_at', 'remark', 'create_at'],
  filters: ['name', 'level', 'enabled', 'pages', 'operator', 'update_at'],
  orderby: 'update_at desc',
});

/** Fields above the pages in the template editor. */
export const templateHead = {
  ...pick(fields, 'name', 'level', 'vno_id', 'device_group_id', 'enabled', 'rank'),
  ...remarkField,
  variables: items(['变量', 'Variables'], variableFields, {
    rules: [variableCount, namedOnce],
    tips: [
      `在文本中写 \${变量名}；内置：\${device.name} \${device.sn} \${vno.name} \${group.name}`,
      `Use \${name} in texts. Built in: \${device.name} \${device.sn} \${vno.name} \${group.name}`,
    ],
  }),
};

const input = { ...templateHead, sections: document(['配置内容', 'Content'], { required: true }) };

/** The template, limited to the pages that this session can see. Pages that it cannot change are marked. */
export interface TemplateView {
  readonly id: number;
  readonly version: number;
  readonly name: string;
  readonly level: TemplateLevel;
  readonly vno_id: number | null;
  readonly device_group_id: number | null;
  readonly place: string;
  readonly enabled: boolean;
  readonly rank: number;
  readonly remark: string | null;
  readonly variables: readonly TemplateVariable[];
  readonly sections: Readonly<Record<string, TemplatePart>>;
  readonly writable: boolean;
}

/** The effect of a template on one device, by page, with problems. */
export interface TemplatePreview {
  readonly device: { readonly id: number; readonly name: string; readonly sn: string };
  readonly pages: readonly {
    readonly page: string;
    readonly zh: string;
    readonly en: string;
    readonly differences: readonly DifferenceView[];
    readonly origins: Readonly<Record<string, Origin>>;
  }[];
  readonly problems: readonly ConfigProblemView[];
}

/** Pages that a template can contain, limited to the rights of the session. */
export interface TemplatePages {
  readonly groups: readonly {
    readonly key: string;
    readonly zh: string;
    readonly en: string;
    readonly pages: readonly {
      readonly key: string;
      readonly zh: string;
      readonly en: string;
      readonly kind: 'form' | 'list';
      readonly writable: boolean;
    }[];
  }[];
}

export const templateCalls = calls('device', ['config_template'], {
  list: {
    kind: 'list',
    path: 'device/config/template',
    summary: ['查询配置模板', 'List configuration templates'],
    resource: templateResource,
  },
  pages: {
    kind: 'tree',
    path: 'device/config/template/pages',
    summary: ['模板可用的配置页', 'Pages available to templates'],
    shape: shape<TemplatePages>(),
  },
  read: {
    kind: 'detail',
    path: 'device/config/template/{id}',
    summary: ['查看配置模板', 'Read a configuration template'],
    shape: shape<TemplateView>(),
  },
  create: {
    kind: 'create',
    path: 'device/config/template',
    summary: ['新增配置模板', 'Create a configuration template'],
    input,
    output: idOutput,
  },
  update: {
    kind: 'update',
    path: 'device/config/template/{id}',
    summary: ['修改配置模板', 'Change a configuration template'],
    input,
    versioned: true,
  },
  enable: {
    kind: 'command',
    path: 'device/config/template/{id}/enable',
    summary: ['启用或停用配置模板', 'Enable or disable a configuration template'],
    input: { enabled: bool(['启用', 'Enabled'], { required: true }) },
  },
  remove: { kind: 'delete', path: 'device/config/template/{id}', summary: ['删除配置模板', 'Delete a configuration template'] },
  preview: {
    kind: 'tree',
    path: 'device/config/template/{id}/preview',
    summary: ['在设备上预览配置模板', 'Preview a template on a device'],
    input: { device_id: option(['设备', 'Device'], 'device/option', { required: true }) },
    shape: shape<TemplatePreview>(),
  },
});

export const configTemplate = page({
  ...headOf('configTemplate'),
  resource: templateResource,
  list: templateCalls.list,
  forms: { preview: form(['预览', 'Preview'], templateCalls.preview.input) },
  actions: {
    create: { on: 'toolbar', label: ['新增模板', 'New template'], to: '/device/config-template/new' },
    variables: { on: 'toolbar', label: ['变量取值', 'Variable values'] },
    campaigns: { on: 'toolbar', label: ['下发任务', 'Campaigns'], to: '/device/config-campaign' },
    detail: { on: 'row', label: ['编辑', 'Edit'], to: '/device/config-template/:id' },
    apply: { on: 'row', label: ['下发', 'Apply'], call: configCampaignCalls.start },
    preview: { on: 'row', label: ['预览', 'Preview'], call: templateCalls.preview },
    enable: {
      on: 'row',
      label: ['启用', 'Enable'],
      call: templateCalls.enable,
      params: { enabled: true },
      when: (row) => row.enabled === false,
      why: ['模板已启用', 'The template is enabled'],
      done: ['已启用；下发后设备才会改变', 'Enabled. Devices change when the template is applied.'],
    },
    disable: {
      on: 'row',
      label: ['停用', 'Disable'],
      call: templateCalls.enable,
      params: { enabled: false },
      when: (row) => row.enabled === true,
      why: ['模板未启用', 'The template is not enabled'],
      done: ['已停用；再次下发后设备才会恢复', 'Disabled. Devices revert when the template is applied again.'],
    },
    delete: {
      on: 'row',
      label: ['删除', 'Delete'],
      call: templateCalls.remove,
      danger: true,
      confirm: [
        '删除后设备保持现有配置，但不再继承该模板。确定要删除吗？',
        'Devices keep their configuration but no longer inherit this template. Delete the template?',
      ],
      when: (row) => row.enabled === false || row.device_count === 0,
      why: ['模板已启用且覆盖设备，请先停用', 'The template is enabled and has devices. Disable it first.'],
    },
  },
});

/** Editor pages of one template. */
const editing = { forms: { head: form(['配置模板', 'Configuration template'], templateHead) }, actions: {} };
export const configTemplateCreate = page({ ...headOf('configTemplateCreate'), ...editing });
export const configTemplateEdit = page({ ...headOf('configTemplateEdit'), ...editing });
