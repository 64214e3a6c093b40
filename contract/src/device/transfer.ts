import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { bool, choice, int, longText, option, text, time, variant } from '../kit/field.ts';
import { bySubject } from '../kit/lookup.ts';
import { type Action, form, type PreviewNote } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import { rules } from '../rules.ts';
import { deviceActionGroups } from './action-groups.ts';
import { deviceAccess } from './device.ts';

export const transferState = [
  { id: 'preparing', label: ['等待网关', 'Waiting for the gateway'], color: 'processing' },
  { id: 'acknowledged', label: ['网关已确认', 'Acknowledged'], color: 'blue' },
  { id: 'done', label: ['已转移', 'Transferred'], color: 'green' },
  { id: 'failed', label: ['转移失败', 'Failed'], color: 'red' },
  { id: 'cleared', label: ['已清除', 'Cleared'], color: 'default' },
] as const;

/** Data that a transfer moved, and data that stayed with the previous VNO. */
export interface Residue {
  /** Moved, without the templates and the prefix of the previous VNO. */
  readonly accounts_moved: number;
  /** Not moved and without a device: all accounts, or those with a balance in the ledger of the previous VNO. */
  readonly accounts_left: number;
  /** No longer sold at this device. */
  readonly packages: number;
  /** Unused cards bound to this device only; the seller must void or change them. */
  readonly cards: number;
  /** Accounts that lost a template. */
  readonly templates: number;
}

const remark = longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], max: 512 });
const fields = {
  vno_id: option(['转入VNO', 'To VNO'], 'agent/option', {
    required: true,
    blank: true,
    lookupBy: bySubject,
    lookupParams: { subject: 'device' },
  }),
  keep_users: bool(['同时转移账号', 'Transfer accounts too'], {
    default: true,
    tips: ['有余额的账号留在原VNO', 'Accounts with a balance stay in their current VNO'],
  }),
  remark: variant(remark, { blank: true }),
};

export const deviceTransfer = resource({
  fields: {
    create_at: time(['发起时间', 'Started at'], { sort: true }),
    from_name: text(['转出VNO', 'From VNO'], { tooltip: true, width: 150 }),
    to_name: text(['转入VNO', 'To VNO'], { tooltip: true, width: 150 }),
    state: choice(['状态', 'State'], transferState, { width: 120 }),
    reason: text(['失败原因', 'Reason'], { tooltip: true, width: 220 }),
    accounts_moved: int(['转移账号', 'Accounts moved'], { width: 110 }),
    accounts_left: int(['保留账号', 'Accounts left'], {
      tips: ['留在原VNO，已解除设备绑定', 'Stay in the previous VNO, unbound from the device'],
      width: 110,
    }),
    packages: int(['解绑套餐', 'Packages unbound'], { width: 120 }),
    cards: int(['遗留卡片', 'Cards left'], { tips: ['仍绑定该设备的未使用卡片', 'Unused cards still bound to this device'], width: 100 }),
    templates: int(['解绑模板', 'Templates unbound'], { width: 130 }),
    operator: text(['操作人', 'Operator'], { width: 110 }),
    remark,
    finish_at: time(['完成时间', 'Finished at']),
  },
  title: ['from_name', 'to_name'],
  columns: [
    'create_at',
    'from_name',
    'to_name',
    'state',
    'reason',
    'accounts_moved',
    'accounts_left',
    'packages',
    'cards',
    'templates',
    'operator',
    'finish_at',
    'remark',
  ],
  filters: [],
  orderby: 'create_at desc',
});

export const transferCalls = calls('device', deviceAccess, {
  transfer: {
    kind: 'command',
    path: 'device/give',
    summary: ['转移设备', 'Transfer devices to another VNO (fails after 15 minutes)'],
    input: { ids, ...fields },
    shape: batchShape,
  },
  clear: {
    kind: 'command',
    path: 'device/clear_give',
    summary: ['清除转移状态', 'Clear the transfer status'],
    input: { ids },
    shape: batchShape,
  },
  preview: {
    kind: 'tree',
    path: 'device/give/preview',
    summary: ['设备转移预览', 'Preview a device transfer'],
    input: { ids, vno_id: option(fields.vno_id.label, 'agent/option'), keep_users: fields.keep_users },
    shape: shape<{ notes: readonly PreviewNote[] }>(),
  },
  list: {
    kind: 'list',
    path: 'device/give',
    summary: ['查询设备转移记录', 'List the transfers of a device'],
    input: { device_id: option(['设备', 'Device'], 'device/option', { required: true, hidden: true }) },
    resource: deviceTransfer,
  },
});

export const transferForm = { ...form(['设备转移', 'Transfer device'], fields), preview: transferCalls.preview };

/** The specification names the actions `give` and `clearGive`. */
export const transferActions = {
  give: {
    on: 'both',
    label: ['转移', 'Transfer'],
    group: deviceActionGroups.binding,
    call: transferCalls.transfer,
    form: 'give',
    when: (row) => row.transfer_status !== 'transferring' && row.online_state === 1,
    why: ['设备须在线且不在转移中', 'The device must be online and not being transferred'],
    done: ['转移已发起，网关须在15分钟内完成', 'Transfer started. The gateway must complete it within 15 minutes.'],
  },
  clearGive: {
    on: 'both',
    label: ['清除转移状态', 'Clear transfer status'],
    group: deviceActionGroups.binding,
    call: transferCalls.clear,
    confirm: [
      '清除后转移不再继续，设备仍归当前VNO。确定清除转移状态吗？',
      'The transfer ends and the device stays with its current VNO. Clear the transfer status?',
    ],
    when: (row) => row.transfer_status === 'transferring' || row.transfer_status === 'failed',
    why: ['设备没有转移状态', 'The device has no transfer status'],
  },
  transfers: {
    on: 'row',
    label: ['转移记录', 'Transfers'],
    group: deviceActionGroups.binding,
    call: transferCalls.list,
    params: { device_id: ':id' },
  },
} as const satisfies Record<string, Action>;
