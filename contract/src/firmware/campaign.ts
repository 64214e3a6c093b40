import { sendMode } from '../device/choices.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, link, option, progress, text, time } from '../kit/field.ts';
import { machine } from '../kit/machine.ts';
import { type Action, page } from '../kit/page.ts';
import { type RowOf, resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { network } from '../protocol/network.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';

/** An upgrade or rollback of devices in waves. A wave starts after the previous one succeeded. */
export const campaignState = machine(
  {
    waiting: { id: 'waiting', label: ['待开始', 'Scheduled'], color: 'gold' },
    running: { id: 'running', label: ['进行中', 'Running'], color: 'processing' },
    stopped: { id: 'stopped', label: ['已暂停', 'Paused'], color: 'orange' },
    done: { id: 'done', label: ['已完成', 'Finished'], color: 'green' },
    ended: { id: 'ended', label: ['已终止', 'Ended'], color: 'default' },
  },
  {
    start: { from: ['waiting'], to: 'running' },
    stop: { from: ['waiting', 'running'], to: 'stopped' },
    resume: { from: ['stopped'], to: 'running' },
    finish: { from: ['running', 'stopped'], to: 'done' },
    end: { from: ['waiting', 'running', 'stopped'], to: 'ended' },
  },
);

/** One device of a campaign. It succeeds only when the gateway reports the target version. */
export const upgradeState = machine(
  {
    queued: { id: 'queued', label: ['等待中', 'Waiting'], color: 'default' },
    sending: { id: 'sending', label: ['升级中', 'In progress'], color: 'processing' },
    verifying: { id: 'verifying', label: ['安装中', 'Installing'], color: 'blue' },
    success: { id: 'success', label: ['成功', 'Succeeded'], color: 'green' },
    failed: { id: 'failed', label: ['失败', 'Failed'], color: 'red' },
    rolled_back: { id: 'rolled_back', label: ['已回退', 'Reverted'], color: 'volcano' },
    expired: { id: 'expired', label: ['等待超时', 'Timed out'], color: 'orange' },
    cancelled: { id: 'cancelled', label: ['已取消', 'Cancelled'], color: 'default' },
  },
  {
    send: { from: ['queued'], to: 'sending' },
    install: { from: ['sending'], to: 'verifying' },
    succeed: { from: ['queued', 'sending', 'verifying'], to: 'success' },
    fail: { from: ['sending', 'verifying'], to: 'failed' },
    revert: { from: ['sending', 'verifying'], to: 'rolled_back' },
    expire: { from: ['queued'], to: 'expired' },
    cancel: { from: ['queued', 'sending'], to: 'cancelled' },
  },
);

export const campaignKind = [
  { id: 'upgrade', label: ['升级', 'Upgrade'], color: 'blue' },
  { id: 'rollback', label: ['版本回退', 'Roll back'], color: 'orange' },
] as const;

/** Reasons why a device has not started, or its result. */
export const upgradeReasons = {
  time: ['等待计划时间', 'Waiting for the scheduled time'],
  stopped: ['任务已暂停', 'The campaign is paused'],
  wave: ['等待前面的设备升级完成', 'Waiting for earlier devices to finish'],
  offline: ['设备离线，上线后继续', 'Offline; continues when it comes online'],
  l_band: ['当前为L波段链路，切换到其他链路后继续', 'On the L-band link; continues after switching to another link'],
  unauthorized: ['设备授权已过期或暂停', 'The authorization has expired or is suspended'],
  already: ['设备已是目标版本', 'The device already has the target version'],
  newer: ['设备版本已高于目标版本', 'The device version is already newer than the target version'],
  older: ['设备版本已低于目标版本', 'The device version is already older than the target version'],
  moved: ['设备已转移、更换或删除', 'The device has been transferred, replaced or deleted'],
  withdrawn: ['固件已不可用于该设备', 'The firmware is no longer available to this device'],
  failed_install: ['安装失败', 'Installation failed'],
  failed_boot: ['新版本启动失败，已回到 {0}', 'The new version did not boot; back on {0}'],
  failed_download: ['下载失败', 'Download failed'],
  failed_abort: ['下载被中止', 'The download was aborted'],
  failed_missing: ['固件文件不存在或链接已失效', 'The firmware file is missing or its link has expired'],
  failed_corrupt: ['固件文件校验失败', 'The file arrived corrupt'],
  failed_version: ['网关上没有该版本', 'The gateway does not have this version'],
  failed_other: ['网关返回错误：{0}', 'Error from the gateway: {0}'],
  unconfirmed: [
    `安装后${limits.upgradeCheckMinutes}分钟内未以目标版本上线`,
    `Not online with the target version within ${limits.upgradeCheckMinutes} minutes after installation`,
  ],
  timeout: [`${limits.upgradeRunHours}小时内未完成`, `Not completed within ${limits.upgradeRunHours} hours`],
  unreachable: [`${limits.upgradeWaitHours}小时内未能开始`, `Could not start within ${limits.upgradeWaitHours} hours`],
  ended: ['任务已终止', 'The campaign was ended'],
} as const satisfies Record<string, Text>;
export type UpgradeReason = keyof typeof upgradeReasons;

export const campaign = resource({
  fields: {
    version: link(['目标版本', 'Target version'], { sort: true, mono: true, width: 110 }),
    kind: choice(['类型', 'Type'], campaignKind),
    state: choice(['状态', 'State'], campaignState.options),
    wave: text(['当前批次', 'Wave'], {
      width: 90,
      tips: [
        '先升级1台，再升级10%，最后升级其余设备；上一批结束后才开始下一批',
        'One device first, then 10 %, then the rest. Each wave starts when the previous one has ended.',
      ],
    }),
    progress: progress(['进度', 'Progress']),
    device_count: int(['设备数', 'Devices'], { width: 70 }),
    success_count: int(['成功', 'Succeeded'], { width: 70 }),
    fail_count: int(['失败', 'Failed'], { width: 70 }),
    open_count: int(['未完成', 'Open'], { hiddenByDefault: true }),
    message: text(['说明', 'Note'], { tooltip: true, width: 260 }),
    send_mode: choice(['下发方式', 'Send mode'], sendMode, { hiddenByDefault: true }),
    send_at: time(['开始时间', 'Starts at'], { sort: true, hiddenByDefault: true }),
    operator: text(['操作人', 'Operator']),
    agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
    remark: text(['备注', 'Remark'], { tooltip: true, hiddenByDefault: true }),
    create_at: time(['创建时间', 'Created at'], { sort: true, months: limits.queryMonths }),
    finish_at: time(['结束时间', 'Ended at'], { hiddenByDefault: true }),
    vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
  },
  title: ['version', 'agent_name'],
  columns: [
    'version',
    'kind',
    'state',
    'wave',
    'progress',
    'device_count',
    'success_count',
    'fail_count',
    'message',
    'operator',
    'create_at',
    'open_count',
    'send_mode',
    'send_at',
    'agent_name',
    'remark',
    'finish_at',
  ],
  filters: ['version', 'state', 'kind', 'operator', 'create_at', 'vno_id'],
  orderby: 'create_at desc',
});

export const campaignDevice = resource({
  fields: {
    device_name: link(['设备名称', 'Device name'], { tooltip: true, width: 160, to: references.device }),
    sn: text(['设备SN', 'SN'], { mono: true, rules: [rules.sn], max: 64 }),
    wave: int(['批次', 'Wave'], { width: 64 }),
    state: choice(['状态', 'State'], upgradeState.options),
    progress: progress(['进度', 'Progress']),
    reason: text(['说明', 'Note'], { tooltip: true, width: 270 }),
    from_version: text(['原版本', 'From'], { mono: true }),
    current_version: text(['当前版本', 'Now'], { mono: true }),
    network: choice(['当前网络', 'Network'], network, { hiddenByDefault: true }),
    start_at: time(['开始时间', 'Began at'], { sort: true, hiddenByDefault: true }),
    finish_at: time(['结束时间', 'Ended at'], { sort: true }),
  },
  title: ['device_name'],
  columns: [
    'device_name',
    'sn',
    'wave',
    'state',
    'progress',
    'reason',
    'from_version',
    'current_version',
    'network',
    'start_at',
    'finish_at',
  ],
  filters: ['sn', 'state'],
  orderby: 'wave asc',
});

export const campaignCalls = calls('firmware', ['firmware_list', 'device_list', 'firmware_campaign', 'firmware_campaign_detail'], {
  list: { kind: 'list', path: 'firmware/campaign', summary: ['查询升级任务', 'List upgrade and rollback campaigns'], resource: campaign },
  read: {
    kind: 'detail',
    path: 'firmware/campaign/{id}',
    summary: ['查看升级任务', 'Read one campaign'],
    shape: shape<RowOf<typeof campaign>>(),
  },
  devices: {
    kind: 'list',
    path: 'firmware/campaign/{id}/device',
    summary: ['查询升级任务的设备', 'List the devices of a campaign'],
    resource: campaignDevice,
  },
  stop: {
    kind: 'command',
    path: 'firmware/campaign/{id}/stop',
    summary: ['暂停升级任务', 'Pause a campaign: no further device starts'],
    shape: shape<null>(),
  },
  resume: {
    kind: 'command',
    path: 'firmware/campaign/{id}/continue',
    summary: ['继续升级任务', 'Continue a paused campaign'],
    shape: shape<null>(),
  },
  end: {
    kind: 'command',
    path: 'firmware/campaign/{id}/end',
    summary: ['终止升级任务', 'End a campaign: devices that have not started are not upgraded'],
    shape: shape<null>(),
  },
});

const campaignActions = {
  stop: {
    on: 'row',
    label: ['暂停', 'Pause'],
    call: campaignCalls.stop,
    when: (row) => campaignState.can('stop', row.state),
    why: ['仅待开始或进行中的任务可以暂停', 'Only a scheduled or running campaign can be paused'],
    confirm: [
      '暂停后不再开始新的设备，已开始的会继续完成。确定暂停吗？',
      'No further device starts; devices that have started continue. Pause?',
    ],
  },
  resume: {
    on: 'row',
    label: ['继续', 'Continue'],
    call: campaignCalls.resume,
    when: (row) => campaignState.can('resume', row.state),
    why: ['仅已暂停的任务可以继续', 'Only a paused campaign can be continued'],
    confirm: ['继续后将开始升级其余设备。确定继续吗？', 'The remaining devices start their upgrade. Continue?'],
  },
  end: {
    on: 'row',
    label: ['终止', 'End'],
    call: campaignCalls.end,
    danger: true,
    when: (row) => campaignState.can('end', row.state),
    why: ['任务已结束', 'The campaign has ended'],
    confirm: [
      '终止后未开始的设备将不再升级，且不能继续。确定终止吗？',
      'Devices that have not started are not upgraded, and the campaign cannot be continued. End?',
    ],
  },
} as const satisfies Record<string, Action>;

/** The campaign list, and the page of one campaign with its progress. */
export const firmwareCampaign = page({
  ...headOf('firmwareCampaign'),
  resource: campaign,
  list: campaignCalls.list,
  forms: {},
  actions: { detail: { on: 'row', label: ['详情', 'Details'], to: '/firmware/campaign/:id' }, ...campaignActions },
});

export const firmwareCampaignDetail = page({
  ...headOf('firmwareCampaignDetail'),
  resource: campaign,
  list: campaignCalls.read,
  forms: {},
  actions: campaignActions,
});
