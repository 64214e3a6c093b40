import { deviceActionGroups } from '../device/action-groups.ts';
import { sendMode } from '../device/choices.ts';
import { type BatchResult, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, longText, text, time } from '../kit/field.ts';
import { type Action, form, type PreviewNote } from '../kit/page.ts';
import type { AnyRow } from '../kit/resource.ts';
import { across, nowOf } from '../kit/rule.ts';
import type { Text } from '../kit/text.ts';
import { limits } from '../limits.ts';
import { rules } from '../rules.ts';
import { isNewer } from './version.ts';

/** Actions of the device list and the detail page; both start a campaign. */

const ahead = across(
  'send_ahead',
  [`须晚于当前时间，且不超过${limits.upgradeAheadDays}天`, `Must be in the future, at most ${limits.upgradeAheadDays} days ahead`],
  (value, _, env) => {
    const now = nowOf(env);
    return Number(value) > now && Number(value) <= now + limits.upgradeAheadDays * 86_400;
  },
);

const upgradeFields = {
  version: text(['目标版本', 'Target version'], {
    required: true,
    rules: [rules.version],
    max: 25,
    blank: true,
    suggest: 'firmware/option',
    lookupBy: ['ids'],
    empty: [
      '没有可升级的版本：所选设备均已是最新，或没有适用其型号的固件',
      'No version to upgrade to: the devices are up to date, or no firmware fits their models',
    ],
  }),
  send_mode: choice(['下发方式', 'Send mode'], sendMode, { required: true, default: 'immediate' }),
  send_at: time(['下发时间', 'Send at'], { required: true, rules: [ahead], when: (v) => v.send_mode === 'timed', blank: true }),
};

const rollbackFields = {
  version: text(['回退版本', 'Roll back to'], {
    required: true,
    rules: [rules.version],
    max: 25,
    blank: true,
    suggest: 'firmware/option/rollback',
    lookupBy: ['ids'],
    typed: true,
    tips: [
      '网关保留的上一版本可直接回退，无需下载；更早的版本从固件库下载',
      'The gateway keeps its previous version, which needs no download. Older versions are downloaded from the firmware list.',
    ],
  }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes] }),
};

/** Result of each device, and the campaign of the accepted ones; null: none accepted. */
const begun = shape<BatchResult & { readonly campaign_id: number | null }>();

export const upgradeCalls = calls('firmware', ['device_list', 'device_detail'], {
  upgrade: {
    kind: 'command',
    path: 'device/upgrade',
    module: 'device',
    summary: ['升级设备', 'Upgrade devices'],
    input: { ...upgradeFields, ids },
    shape: begun,
  },
  rollback: {
    kind: 'command',
    path: 'device/rollback',
    module: 'device',
    summary: ['设备版本回退', 'Roll devices back to an earlier version'],
    input: { ...rollbackFields, ids },
    shape: begun,
  },
  /** Versions that fit at least one of the devices and are newer than its version; each has the number of devices. */
  option: {
    kind: 'option',
    path: 'firmware/option',
    summary: ['可升级版本选项', 'Versions that devices can be upgraded to'],
    input: { ids },
    shape: shape<Record<string, string>>(),
  },
  rollbackOption: {
    kind: 'option',
    path: 'firmware/option/rollback',
    summary: ['可回退版本选项', 'Versions that devices can be rolled back to'],
    input: { ids },
    shape: shape<Record<string, string>>(),
  },
  estimate: {
    kind: 'tree',
    path: 'firmware/estimate',
    summary: ['升级流量与时间估算', 'Estimate the traffic and time of an upgrade'],
    input: { version: upgradeFields.version, ids },
    shape: shape<{ notes: readonly PreviewNote[] }>(),
  },
  rollbackEstimate: {
    kind: 'tree',
    path: 'firmware/estimate/rollback',
    summary: ['版本回退流量与时间估算', 'Estimate the traffic and time of a rollback'],
    input: { version: rollbackFields.version, ids },
    shape: shape<{ notes: readonly PreviewNote[] }>(),
  },
});

export const upgradeForms = {
  upgrade: { ...form(['设备升级', 'Upgrade device'], upgradeFields), preview: upgradeCalls.estimate },
  rollback: { ...form(['版本回退', 'Roll back'], rollbackFields), preview: upgradeCalls.rollbackEstimate },
};

const progressRoute = '/firmware/campaign/:campaign_id';

const whyNotReady = (row: AnyRow): Text | undefined => {
  if (row.online_state !== 1) return ['设备离线', 'The device is offline'];
  if (row.auth_status === 'suspended') return ['授权已暂停', 'The authorization is suspended'];
  return row.upgrade_state ? ['正在升级', 'An upgrade is in progress'] : undefined;
};

const whyNoUpgrade = (row: AnyRow): Text | undefined => {
  if (isNewer(row.latest_version, row.version)) return whyNotReady(row);
  return row.latest_version
    ? [`已是最新版本 ${row.version ?? ''}`, `Already on the latest version ${row.version ?? ''}`]
    : [`没有适用于型号 ${row.model ?? ''} 的版本`, `No version for model ${row.model ?? ''}`];
};

const unknown: Text = ['当前数据不支持此操作', 'Not available for this device in its current state'];

export const upgradeActions = {
  upgrade: {
    on: 'both',
    label: ['升级', 'Upgrade'],
    group: deviceActionGroups.firmware,
    call: upgradeCalls.upgrade,
    form: 'upgrade',
    when: (row) => whyNoUpgrade(row) === undefined,
    why: (row) => whyNoUpgrade(row) ?? unknown,
    done: ['升级任务已创建', 'Upgrade started'],
    progressRoute,
  },
  rollback: {
    on: 'both',
    label: ['版本回退', 'Roll back'],
    group: deviceActionGroups.firmware,
    call: upgradeCalls.rollback,
    form: 'rollback',
    when: (row) => whyNotReady(row) === undefined,
    why: (row) => whyNotReady(row) ?? unknown,
    done: ['回退任务已创建', 'Rollback started'],
    progressRoute,
  },
} as const satisfies Record<string, Action>;
