import { commonStatus } from '../choices.ts';
import { calls } from '../kit/endpoint.ts';
import { bytes, choice, duration, int, option, options, pick, speed, tags, text, time, variant } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import type { Values } from '../kit/values.ts';
import { limits } from '../limits.ts';
import { deviceFields } from '../log/device-fields.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

const target = [
  { id: 'all', label: ['全部设备', 'All devices'], color: 'default' },
  { id: 'device', label: ['指定设备', 'Specified devices'], color: 'blue' },
  { id: 'group', label: ['指定设备组', 'Specified groups'], color: 'cyan' },
] as const;

export const tempReleaseResult = [
  { id: 'start', label: ['已放行', 'Released'], color: 'green' },
  { id: 'refused', label: ['已拒绝', 'Refused'], color: 'red' },
  { id: 'end', label: ['已结束', 'Ended'], color: 'default' },
] as const;

export const tempReleaseReason = [
  { id: 'count', label: ['次数用完', 'Count used up'] },
  { id: 'gateway', label: ['网关放行次数已达上限', 'Limit of the gateway reached'] },
  { id: 'time', label: ['到时', 'Time over'] },
  { id: 'rule', label: ['规则变更', 'Rule changed'] },
  { id: 'login', label: ['已登录', 'Logged in'] },
] as const;

const purpose = [
  { id: 'user', label: ['用户申请', 'By the user'], color: 'default' },
  { id: 'pay', label: ['支付', 'Payment'], color: 'blue' },
] as const;

const zeroUnlimited = ['0表示不限制', '0 means unlimited'] as const;
const zeroNone = ['0表示无', '0 means none'] as const;

const fields = {
  name: text(['规则名称', 'Rule name'], {
    required: true,
    rules: [rules.text_cn_15, rules.no_edge_space],
    max: 15,
    sort: true,
    tooltip: true,
    width: 160,
  }),
  target: choice(['适用范围', 'Applies to'], target, { required: true, default: 'all', width: 140 }),
  target_names: tags(['范围明细', 'Targets'], { tooltip: true, hiddenByDefault: true, width: 220 }),
  pass_time: duration(['放行时长', 'Release time'], { sort: true, tips: zeroUnlimited }),
  pass_count: int(['放行次数', 'Release count'], { sort: true, tips: zeroUnlimited }),
  lock_time: duration(['超限锁定时长', 'Lock time'], { tips: zeroNone }),
  refresh_time: duration(['刷新周期', 'Refresh time'], { tips: zeroNone }),
  limit_up: speed(['上行限速', 'Up limit']),
  limit_down: speed(['下行限速', 'Down limit']),
  status: choice(['状态', 'Status'], commonStatus, { default: 1 }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 160, to: references.vno }),
  create_at: time(['创建时间', 'Created at'], { sort: true, hiddenByDefault: true }),
  device_id: option(['设备', 'Device'], 'device/option'),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option'),
};

export const tempReleaseResource = resource({
  fields,
  title: ['name', 'agent_name'],
  columns: [
    'name',
    'target',
    'target_names',
    'pass_time',
    'pass_count',
    'lock_time',
    'refresh_time',
    'limit_up',
    'limit_down',
    'status',
    'agent_name',
    'create_at',
  ],
  filters: ['name', 'target', 'device_id', 'status', 'create_at', 'device_group_id'],
  orderby: 'create_at desc',
});

const unlimited = { required: true, rules: [rules.zero_unlimited] } as const;
const withinDay = { required: true, rules: [rules.number_range(0, 86_400)] } as const;
const input = {
  ...pick(fields, 'name', 'target'),
  device_ids: options(['指定设备', 'Devices'], 'device/option', {
    required: true,
    when: (v: Values) => v.target === 'device',
    tips: ['每台设备只能在一条规则中', 'A device can be in one rule only'],
  }),
  device_group_ids: options(['指定设备组', 'Device groups'], 'device/group/option', {
    required: true,
    when: (v: Values) => v.target === 'group',
    tips: ['每个设备组只能在一条规则中', 'A group can be in one rule only'],
  }),
  pass_time: int(['放行时长（秒）', 'Release time (s)'], {
    ...unlimited,
    default: 300,
    unit: 's',
    tips: ['每次放行的时长，0表示不限制', 'Duration of each release; 0 means unlimited'],
  }),
  pass_count: int(['放行次数', 'Release count'], {
    ...unlimited,
    default: 3,
    tips: ['每个终端在一个刷新周期内的次数，0表示不限制', 'Releases per terminal and refresh time; 0 means unlimited'],
  }),
  lock_time: int(['超限锁定时长（秒）', 'Over-limit lock time (s)'], {
    ...withinDay,
    default: 600,
    unit: 's',
    tips: ['次数用完后至少锁定的时长，0表示不锁定', 'Shortest lock after the count is used up; 0 means none'],
  }),
  refresh_time: int(['刷新周期（秒）', 'Refresh time (s)'], {
    ...withinDay,
    default: 86_400,
    unit: 's',
    tips: [
      '从首次放行起计，到期后重新计次；0表示不按周期刷新，锁定结束后重新计次',
      'Runs from the first release, then the count restarts. 0: no period; the count restarts after the lock.',
    ],
  }),
  limit_up: speed(['上行限速（kbps）', 'Up limit (kbps)'], { ...unlimited, default: 0 }),
  limit_down: speed(['下行限速（kbps）', 'Down limit (kbps)'], { ...unlimited, default: 0 }),
  status: fields.status,
};

export const tempReleaseRecord = resource({
  fields: {
    ...deviceFields,
    sn: variant(deviceFields.sn, { hiddenByDefault: true }),
    mac: text(['终端MAC', 'MAC'], { match: 'start', mono: true, width: 150, max: 17 }),
    result: choice(['结果', 'Result'], tempReleaseResult, { width: 100 }),
    reason: choice(['原因', 'Reason'], tempReleaseReason, { width: 160 }),
    purpose: choice(['用途', 'Purpose'], purpose, { width: 110 }),
    until: time(['截止时间', 'Until'], { tips: ['放行或拒绝到此时间为止', 'End of the release or of the refusal'] }),
    up_bytes: bytes(['上行流量', 'Upload'], { width: 110 }),
    down_bytes: bytes(['下行流量', 'Download'], { width: 110 }),
    rule_name: text(['规则名称', 'Rule name'], { tooltip: true, width: 140 }),
    create_at: time(['时间', 'Time'], { sort: true, months: limits.queryMonths }),
  },
  title: ['mac', 'device_name'],
  columns: [
    'create_at',
    'device_name',
    'mac',
    'result',
    'reason',
    'up_bytes',
    'down_bytes',
    'until',
    'rule_name',
    'purpose',
    'sn',
    'agent_name',
  ],
  filters: ['device_id', 'mac', 'result', 'create_at', 'rule_name'],
  orderby: 'create_at desc',
});

const version = int(['版本', 'Version'], { required: true });

export const tempReleaseCalls = calls('advanced', ['temp_release'], {
  list: {
    kind: 'list',
    path: 'user_pass_rule/list',
    summary: ['查询临时放行规则', 'List temporary-release rules'],
    resource: tempReleaseResource,
  },
  create: {
    kind: 'create',
    path: 'user_pass_rule/add',
    summary: ['新增临时放行规则', 'Create a temporary-release rule'],
    input,
    output: idOutput,
  },
  read: {
    kind: 'detail',
    path: 'user_pass_rule/edit/{id}',
    summary: ['读取临时放行规则', 'Read one rule for the edit form'],
    output: {
      ...pick(fields, ...tempReleaseResource.columns),
      ...pick(input, 'device_ids', 'device_group_ids'),
      ...idOutput,
      version,
    },
  },
  update: {
    kind: 'update',
    path: 'user_pass_rule/mod/{id}',
    summary: ['修改临时放行规则', 'Save a temporary-release rule'],
    input,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'user_pass_rule/del/{id}', summary: ['删除临时放行规则', 'Delete a temporary-release rule'] },
  records: {
    kind: 'list',
    path: 'user_pass_rule/record',
    summary: ['查询放行记录', 'List release records'],
    resource: tempReleaseRecord,
    input: { rule_id: int(['规则', 'Rule'], { hidden: true }) },
  },
});

const recordsLabel = ['放行记录', 'Release records'] as const;

export const tempRelease = page({
  ...headOf('tempRelease'),
  resource: tempReleaseResource,
  list: tempReleaseCalls.list,
  forms: {
    create: form(['新增临时放行规则', 'New temporary-release rule'], input, 720),
    edit: form(['编辑临时放行规则', 'Edit temporary-release rule'], input, 720),
  },
  actions: {
    create: { on: 'toolbar', label: ['新增规则', 'New rule'], call: tempReleaseCalls.create, form: 'create' },
    records: { on: 'toolbar', label: recordsLabel, call: tempReleaseCalls.records },
    // The edit form reads the devices and groups; operators do not see this action.
    load: { on: 'row', label: ['读取', 'Load'], call: tempReleaseCalls.read, when: () => false, hiddenWhenRefused: true },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: tempReleaseCalls.update, form: 'edit' },
    ruleRecords: { on: 'row', label: recordsLabel, call: tempReleaseCalls.records, params: { rule_id: ':id' } },
    delete: removeAction(tempReleaseCalls.remove, ['规则', 'rule']),
  },
});
