import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, document, int, link, option, options, progress, tags, text, time, variant } from '../kit/field.ts';
import { machine } from '../kit/machine.ts';
import { type Action, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { idOutput } from '../permission/customer.ts';
import { references } from '../references.ts';
import { configCalls } from './config.ts';

/** One configuration change for many devices: computed and sent in the background, then tracked per device. */
export const campaignState = machine(
  {
    preparing: { id: 'preparing', label: ['准备中', 'Preparing'], color: 'processing' },
    running: { id: 'running', label: ['下发中', 'Running'], color: 'processing' },
    done: { id: 'done', label: ['已完成', 'Finished'], color: 'green' },
    stopped: { id: 'stopped', label: ['已停止', 'Stopped'], color: 'default' },
    failed: { id: 'failed', label: ['未能执行', 'Failed'], color: 'red' },
  },
  {
    stop: { from: ['preparing', 'running'], to: 'stopped' },
    retry: { from: ['running', 'done', 'stopped', 'failed'], to: 'preparing' },
  },
);

/** State of one device; 'applied' requires the confirmation of its gateway. */
export const targetState = [
  { id: 'queued', label: ['待准备', 'Queued'], color: 'default' },
  { id: 'unchanged', label: ['无需修改', 'Nothing to change'], color: 'default' },
  { id: 'waiting', label: ['等待网关', 'Waiting'], color: 'gold' },
  { id: 'applied', label: ['已生效', 'Applied'], color: 'green' },
  { id: 'refused', label: ['网关拒绝', 'Refused'], color: 'red' },
  { id: 'invalid', label: ['校验不通过', 'Not valid'], color: 'volcano' },
  { id: 'lost', label: ['失联后已回退', 'Rolled back'], color: 'red' },
  { id: 'stopped', label: ['已停止', 'Stopped'], color: 'default' },
] as const;
export type TargetState = (typeof targetState)[number]['id'];

/** States that allow a retry. */
export const retryStates: readonly TargetState[] = ['refused', 'invalid', 'lost', 'stopped'];

export const campaignKind = [
  { id: 'template', label: ['模板下发', 'Template'], color: 'blue' },
  { id: 'bulk', label: ['批量修改', 'Bulk edit'], color: 'purple' },
  { id: 'copy', label: ['复制配置', 'Copy'], color: 'cyan' },
] as const;

export const configCampaignResource = resource({
  fields: {
    title: link(['任务', 'Campaign'], { tooltip: true, width: 200 }),
    kind: choice(['类型', 'Type'], campaignKind, { width: 96 }),
    state: choice(['状态', 'State'], campaignState.options, { width: 96 }),
    progress: progress(['进度', 'Progress'], { width: 130 }),
    device_count: int(['设备数', 'Devices'], { width: 80 }),
    applied_count: int(['已生效', 'Applied'], { width: 80 }),
    waiting_count: int(['等待', 'Waiting'], { width: 80 }),
    failed_count: int(['失败', 'Failed'], { width: 80, tips: ['拒绝、校验不通过或失联', 'Refused, not valid or rolled back'] }),
    unchanged_count: int(['无需修改', 'Unchanged'], { width: 90, hiddenByDefault: true }),
    message: text(['说明', 'Note'], { tooltip: true, width: 200, hiddenByDefault: true }),
    operator: text(['操作人', 'Operator'], { width: 110 }),
    create_at: time(['创建时间', 'Created at'], { sort: true, months: limits.queryMonths }),
    finish_at: time(['结束时间', 'Ended at'], { hiddenByDefault: true }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['title', 'agent_name'],
  columns: [
    'title',
    'kind',
    'state',
    'progress',
    'device_count',
    'applied_count',
    'waiting_count',
    'failed_count',
    'unchanged_count',
    'message',
    'operator',
    'create_at',
    'finish_at',
    'agent_name',
  ],
  filters: ['title', 'state', 'kind', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const configTarget = resource({
  fields: {
    device_name: link(['设备名称', 'Device name'], { tooltip: true, width: 180, to: '/device/detail/:device_id' }),
    sn: text(['设备SN', 'SN'], { mono: true, max: 64, width: 150 }),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, width: 140, to: references.vno }),
    state: choice(['状态', 'State'], targetState, { width: 130 }),
    reason: text(['说明', 'Note'], { tooltip: true, width: 320 }),
    page_name: text(['配置页', 'Page'], { tooltip: true, width: 140 }),
    path: text(['字段', 'Field'], { mono: true, tooltip: true, width: 160 }),
    update_at: time(['更新时间', 'Updated at'], { sort: true }),
  },
  title: ['device_name', 'agent_name'],
  columns: ['device_name', 'sn', 'agent_name', 'state', 'reason', 'page_name', 'path', 'update_at'],
  filters: ['device_name', 'sn', 'state'],
  orderby: 'device_name asc',
});

export interface CampaignView {
  readonly id: number;
  readonly title: string;
  readonly kind: (typeof campaignKind)[number]['id'];
  readonly state: string;
  readonly message: string | null;
  readonly operator: string;
  readonly note: string | null;
  readonly keep: number;
  readonly pages: readonly string[];
  readonly device_count: number;
  readonly counts: Readonly<Record<TargetState, number>>;
  readonly create_at: number;
  readonly finish_at: number | null;
}

/** Target devices, limited to those of the session. */
export const campaignTarget = [
  { id: 'place', label: ['模板的全部设备', 'All devices of the template'] },
  { id: 'vno', label: ['VNO（含下级）', 'VNO (with child VNOs)'] },
  { id: 'group', label: ['设备组', 'Device group'] },
  { id: 'devices', label: ['指定设备', 'Chosen devices'] },
] as const;
const someTarget = campaignTarget.filter(({ id }) => id !== 'place');

const targetFields = {
  vno_id: option(['VNO', 'VNO'], 'agent/option', { required: true, when: (v) => v.target === 'vno' }),
  device_group_id: option(['设备组', 'Device group'], 'device/group/option', { required: true, when: (v) => v.target === 'group' }),
  device_ids: options(['设备', 'Devices'], 'device/option', { required: true, when: (v) => v.target === 'devices' }),
};
const overText: Text = ['覆盖网关本地修改', 'Overwrite changes made at the gateway'];
const applyOptions = {
  force: bool(overText, {
    tips: ['不勾选时，被网关本地修改过的设备不下发', 'If not checked, devices with changes made at the gateway are skipped'],
  }),
  keep: variant(configCalls.apply.input.keep, {
    default: undefined,
    tips: [
      '留空：涉及网关联网的配置页180秒，其余不启用；0不启用',
      'Empty: 180 s for pages that affect the gateway connection, otherwise off. 0 turns it off.',
    ],
  }),
  note: configCalls.apply.input.note,
};

export const startFields = {
  target: choice(['下发范围', 'For'], campaignTarget, { required: true, default: 'place' }),
  ...targetFields,
  ...applyOptions,
};

const devicesOf = { target: choice(['下发范围', 'For'], someTarget, { required: true, default: 'devices' }), ...targetFields };

/** `row`: the key of a row of a list, or `*` for all of them. */
export const bulkFields = {
  page: text(['配置页', 'Page'], { required: true, max: 64 }),
  field: text(['字段', 'Field'], { required: true, max: 64 }),
  row: text(['行', 'Row'], { max: 128 }),
  value: document(['取值', 'Value'], { required: true }),
  ...devicesOf,
  ...applyOptions,
};

export const copyFields = {
  source: choice(
    ['来源', 'From'],
    [
      { id: 'device', label: ['设备', 'A device'] },
      { id: 'file', label: ['文件', 'A file'] },
    ],
    { required: true, default: 'device' },
  ),
  device_id: option(['源设备', 'Source device'], 'device/option', { required: true, when: (v) => v.source === 'device' }),
  content: document(['文件内容', 'Content of the file'], { required: true, when: (v) => v.source === 'file' }),
  password: text(['文件密码', 'File password'], { max: 128, when: (v) => v.source === 'file' }),
  pages: tags(['配置页', 'Pages'], { required: true }),
  ...devicesOf,
  ...applyOptions,
};

export const configCampaignCalls = calls('device', ['config_campaign', 'config_template', 'gateway_config'], {
  list: {
    kind: 'list',
    path: 'device/config/campaign',
    summary: ['查询配置下发任务', 'List configuration campaigns'],
    resource: configCampaignResource,
  },
  read: {
    kind: 'detail',
    path: 'device/config/campaign/{id}',
    summary: ['查看配置下发任务', 'Read a configuration campaign'],
    shape: shape<CampaignView>(),
  },
  devices: {
    kind: 'list',
    path: 'device/config/campaign/{id}/device',
    summary: ['查询配置下发任务的设备', 'List the devices of a configuration campaign'],
    resource: configTarget,
  },
  start: {
    kind: 'command',
    path: 'device/config/template/{id}/apply',
    access: ['config_template'],
    summary: ['下发配置模板', 'Apply a configuration template to devices'],
    input: startFields,
    output: idOutput,
  },
  bulk: {
    kind: 'command',
    path: 'device/config/bulk',
    summary: ['批量修改网关配置', 'Set one field on many devices'],
    input: bulkFields,
    output: idOutput,
  },
  copy: {
    kind: 'command',
    path: 'device/config/copy',
    summary: ['复制网关配置到多台设备', 'Copy a configuration to many devices'],
    input: copyFields,
    output: idOutput,
  },
  stop: {
    kind: 'command',
    path: 'device/config/campaign/{id}/stop',
    summary: ['停止配置下发任务', 'Stop a configuration campaign'],
    shape: shape<null>(),
  },
  retry: {
    kind: 'command',
    path: 'device/config/campaign/{id}/retry',
    summary: ['重试配置下发任务', 'Retry a configuration campaign'],
    shape: shape<null>(),
  },
});

export const configCampaignActions = {
  detail: { on: 'row', label: ['详情', 'Details'], to: '/device/config-campaign/:id' },
  retry: {
    on: 'row',
    label: ['重试', 'Retry'],
    call: configCampaignCalls.retry,
    when: (row) => campaignState.can('retry', row.state) && Number(row.retry_count) > 0,
    why: ['没有可重试的设备', 'No devices to retry'],
    confirm: ['将对失败和已停止的设备重新下发，确定吗？', 'Failed and stopped devices are retried. Continue?'],
    done: ['已重新开始', 'Restarted'],
  },
  stop: {
    on: 'row',
    label: ['停止', 'Stop'],
    call: configCampaignCalls.stop,
    danger: true,
    when: (row) => campaignState.can('stop', row.state),
    why: ['任务已结束', 'The campaign has ended'],
    confirm: [
      '尚未发到网关的下发将撤回，已发出的会继续完成。确定停止吗？',
      'Pending changes are withdrawn; changes already sent continue. Stop?',
    ],
  },
} as const satisfies Record<string, Action>;

export const configCampaign = page({
  ...headOf('configCampaign'),
  resource: configCampaignResource,
  list: configCampaignCalls.list,
  forms: {},
  actions: configCampaignActions,
});

export const configCampaignDetail = page({
  ...headOf('configCampaignDetail'),
  forms: {},
  actions: {},
});

/** Shown while the gateway has not confirmed. */
export const onItsWay: Text = ['已下发，等待网关确认', 'Sent, waiting for the gateway to confirm'];

export const reasonTexts = {
  moved: ['设备已转移或删除', 'The device has been transferred or deleted'],
  outside: ['设备已不在下发范围内', 'The device is no longer in the scope of the campaign'],
  drifted: ['网关本地修改过该页，请先处理', 'This page was changed at the gateway. Resolve that change first.'],
  no_row: ['没有这一行', 'Row not found'],
  no_value: ['没有内容可修改', 'Nothing to change here'],
  unreadable: ['该设备的配置无法处理，详见服务器日志', 'The configuration of this device cannot be processed. See the server log.'],
  withdrawn: ['下发已撤回', 'The change was withdrawn'],
  stopped: ['任务已停止', 'The campaign was stopped'],
} as const satisfies Record<string, Text>;
