import type { RequestedExport } from '../export/export-log.ts';
import { batchShape, ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, int, money, option, text, time } from '../kit/field.ts';
import { form, page } from '../kit/page.ts';
import { resource } from '../kit/resource.ts';
import type { Values } from '../kit/values.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { cardExpiry, cardTerms } from './card-rule.ts';
import { cardExportFormat, cardStatus, cardType } from './choices.ts';

const fields = {
  number: text(['卡号', 'Card number'], { sort: true, match: 'code', mono: true, noTruncate: true, width: 146 }),
  password: text(['卡密', 'Card password'], { mask: true, mono: true, hiddenByDefault: true, width: 190 }),
  batch_no: text(['制卡批次', 'Batch'], { mono: true, noTruncate: true, width: 152 }),
  card_type: choice(['卡类型', 'Card type'], cardType, { width: 124 }),
  period: int(['周期数', 'Periods'], { hiddenByDefault: true }),
  denomination: money(['面值', 'Denomination']),
  package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 150, to: references.package }),
  status: choice(['状态', 'Status'], cardStatus.options, { sort: 'newest' }),
  bind_type: cardTerms.bind_type,
  device_name: text(['绑定设备', 'Bound device'], { tooltip: true, to: references.device }),
  producer: text(['制卡人', 'Producer'], { hiddenByDefault: true }),
  used_user: text(['使用用户', 'Used by'], { match: 'name' }),
  used_at: time(['使用时间', 'Used at'], { sort: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  remark: cardTerms.remark,
  expire_at: cardExpiry,
  create_at: time(['制卡时间', 'Made at'], { sort: true, hiddenByDefault: true }),
  rule_id: option(['制卡批次', 'Batch'], 'recharge_card_rule/option'),
  package_id: option(['套餐', 'Package'], 'package/option'),
  device_id: option(['设备', 'Device'], 'device/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const cardResource = resource({
  fields,
  title: ['number', 'batch_no'],
  columns: [
    'number',
    'password',
    'batch_no',
    'card_type',
    'period',
    'denomination',
    'package_name',
    'status',
    'bind_type',
    'device_name',
    'producer',
    'used_user',
    'used_at',
    'agent_name',
    'remark',
    'expire_at',
    'create_at',
  ],
  filters: [
    'number',
    'rule_id',
    'status',
    'card_type',
    'expire_at',
    'package_id',
    'bind_type',
    'device_id',
    'used_user',
    'producer',
    'denomination',
    'used_at',
    'vno_id',
  ],
  orderby: 'create_at desc',
});

const voided = choice(['状态', 'Status'], [{ id: 'disabled', label: ['已作废', 'Voided'] }] as const, { hidden: true });
const isNotVoided = (v: Values) => v.status !== 'disabled';

const terms = {
  ...cardTerms,
  expire_at: cardExpiry,
  // An empty remark keeps the remark of each card.
  remark: text(cardTerms.remark.label, { rules: cardTerms.remark.rules, max: 512 }),
};

export const cardCalls = calls('card', ['card_all'], {
  list: { kind: 'list', path: 'recharge_card', summary: ['查询充值卡', 'List recharge cards'], resource: cardResource },
  change: {
    kind: 'update',
    path: 'recharge_card/mod',
    summary: ['修改或作废充值卡', 'Change or void unused cards'],
    input: {
      ids,
      status: voided,
      expire_at: { ...terms.expire_at, when: isNotVoided },
      bind_type: { ...terms.bind_type, when: isNotVoided },
      device_id: { ...terms.device_id, when: (v: Values) => isNotVoided(v) && v.bind_type === 'device' },
      device_group_id: { ...terms.device_group_id, when: (v: Values) => isNotVoided(v) && v.bind_type === 'group' },
      remark: { ...terms.remark, when: isNotVoided },
    },
    shape: batchShape,
  },
  reveal: {
    kind: 'command',
    path: 'recharge_card/{id}/reveal',
    access: ['card_all', 'card_manage'],
    summary: ['查看卡密', 'Show the password of a card'],
    shape: shape<{ readonly value: string }>(),
  },
  export: {
    kind: 'export',
    path: 'recharge_card/export/card',
    summary: ['导出充值卡', 'Start an export of cards'],
    resource: cardResource,
    input: { format: choice(['文件格式', 'File format'], cardExportFormat, { default: 'xlsx' }) },
    shape: shape<RequestedExport>(),
  },
});

const isUnused = (row: Values) => cardStatus.can('change', row.status);
const onlyUnused = ['仅未使用的卡片可修改或作废', 'Only unused cards can be changed or voided'] as const;

export const cardAll = page({
  ...headOf('cardAll'),
  resource: cardResource,
  list: cardCalls.list,
  reveal: cardCalls.reveal,
  forms: { mod: form(['修改充值卡', 'Modify cards'], terms) },
  actions: {
    mod: { on: 'both', label: ['修改', 'Modify'], call: cardCalls.change, form: 'mod', when: isUnused, why: onlyUnused },
    void: {
      on: 'both',
      label: ['作废', 'Void'],
      call: cardCalls.change,
      params: { status: 'disabled' },
      danger: true,
      when: isUnused,
      why: onlyUnused,
      confirm: ['作废后不可恢复，确定作废所选卡片吗？', 'Voided cards cannot be restored. Void the selected cards?'],
    },
    export: { on: 'toolbar', label: ['导出卡片', 'Export cards'], call: cardCalls.export },
  },
});
