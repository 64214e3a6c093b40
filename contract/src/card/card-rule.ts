import { errors } from '../errors.ts';
import { exportState } from '../export/export.ts';
import type { RequestedExport } from '../export/export-log.ts';
import { ids } from '../kit/batch.ts';
import { calls, shape } from '../kit/endpoint.ts';
import { choice, date, int, items, link, longText, money, option, pick, progress, text, time, variant } from '../kit/field.ts';
import { lookupInput } from '../kit/lookup.ts';
import { form, page } from '../kit/page.ts';
import { removeAction } from '../kit/page-actions.ts';
import { resource } from '../kit/resource.ts';
import type { Text } from '../kit/text.ts';
import type { Values } from '../kit/values.ts';
import { limits } from '../limits.ts';
import { headOf } from '../menu.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { cardRules } from './card-rules.ts';
import { cardBindType, cardExportFormat, cardRuleState, cardType } from './choices.ts';

const ofPackage = (v: Values) => v.card_type === 'package';
const ofAmount = (v: Values) => v.card_type === 'amount';

/** Binding, expiry and remark, the same for a batch and a single card. */
export const cardTerms = {
  expire_at: date(['有效期至', 'Expires at'], { required: true, quickYears: true, rules: [cardRules.notPast], sort: true }),
  bind_type: choice(['绑定类型', 'Binding type'], cardBindType, { required: true, default: 'none' }),
  device_id: option(['绑定设备', 'Bound device'], 'device/option', { required: true, when: (v) => v.bind_type === 'device' }),
  device_group_id: option(['绑定设备组', 'Bound device group'], 'device/group/option', {
    required: true,
    when: (v) => v.bind_type === 'group',
    lookupParams: { subject: 'card' },
    empty: ['管理范围限于设备时，请绑定设备', 'If your scope is limited to devices, bind a device'],
  }),
  remark: longText(['备注', 'Remark'], { rules: [rules.free_512, rules.no_quotes], tooltip: true, hiddenByDefault: true }),
};

const fields = {
  batch_no: link(['制卡批次', 'Batch'], { sort: true, tooltip: true, width: 170 }),
  name: text(['批次名称', 'Batch name'], { required: true, rules: [rules.text_cn_15], sort: true, tooltip: true }),
  state: choice(['制卡状态', 'State'], cardRuleState),
  card_type: choice(['卡类型', 'Card type'], cardType, { required: true, default: 'package', width: 124 }),
  package_name: text(['套餐名称', 'Package name'], { tooltip: true, width: 150, to: references.package }),
  period: int(['周期数', 'Periods'], { hiddenByDefault: true }),
  denomination: money(['面值', 'Denomination'], { sort: true }),
  count: int(['制卡数量', 'Cards'], { sort: true }),
  made_count: int(['已制数量', 'Made'], { hiddenByDefault: true }),
  used_count: int(['已使用', 'Used'], { sort: true }),
  usage: progress(['使用进度', 'Usage'], { hiddenByDefault: true }),
  ...cardTerms,
  bind_name: text(['绑定对象', 'Bound to'], { tooltip: true, hiddenByDefault: true }),
  export_status: choice(['导出状态', 'Export status'], exportState.options, { hiddenByDefault: true }),
  revealed_at: time(['卡密首次导出或查看', 'Passwords revealed at'], { hiddenByDefault: true, width: 170 }),
  producer: text(['制卡人', 'Producer']),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  create_at: time(['制卡时间', 'Made at'], { sort: true }),
  rule_id: option(['制卡批次', 'Batch'], 'recharge_card_rule/option'),
  package_id: option(['套餐', 'Package'], 'package/option'),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const cardRuleResource = resource({
  fields: { ...fields, device_id: option(['设备', 'Device'], 'device/option') },
  title: ['batch_no', 'name'],
  columns: [
    'batch_no',
    'name',
    'state',
    'card_type',
    'package_name',
    'period',
    'denomination',
    'count',
    'made_count',
    'used_count',
    'usage',
    'bind_type',
    'bind_name',
    'export_status',
    'revealed_at',
    'producer',
    'agent_name',
    'remark',
    'expire_at',
    'create_at',
  ],
  filters: ['rule_id', 'card_type', 'package_id', 'producer', 'create_at', 'bind_type', 'device_id', 'vno_id', 'denomination', 'expire_at'],
  orderby: 'create_at desc',
});

/** One type of card; each line creates one batch. */
export const cardLine = {
  card_type: fields.card_type,
  package_id: option(['套餐', 'Package'], 'package/offer', { required: true, when: ofPackage }),
  period: int(['周期数', 'Periods'], {
    required: true,
    rules: [rules.number_range(1, limits.cardPeriods)],
    default: 1,
    when: ofPackage,
  }),
  denomination: money(['面值（元）', 'Denomination (yuan)'], {
    required: true,
    rules: [rules.price, rules.number_range(0, limits.cardValueMax)],
    when: ofAmount,
  }),
  count: int(['制卡数量', 'Number of cards'], { required: true, rules: [rules.number_range(1, limits.cardsPerBatch)], default: 100 }),
};

const makeInput = {
  name: fields.name,
  cards: items(['卡片类型', 'Card types'], cardLine, {
    required: true,
    rules: [{ ...rules.card_types_max, max: limits.cardTypes }, cardRules.once],
  }),
  ...pick(cardTerms, 'bind_type', 'device_id', 'device_group_id', 'expire_at', 'remark'),
};

const editInput = { name: fields.name, ...cardTerms };

export interface RequestedCards {
  /** The first batch, and the job that creates its cards. */
  readonly id: number;
  readonly job_id: number;
  readonly success: number;
  readonly fail: number;
  readonly errors: readonly string[];
  readonly list: readonly { readonly id: number; readonly batch_no: string; readonly job_id: number }[];
}

export const cardRuleCalls = calls('card', ['card_manage'], {
  list: { kind: 'list', path: 'recharge_card_rule', summary: ['查询制卡批次', 'List card batches'], resource: cardRuleResource },
  make: {
    kind: 'create',
    path: 'recharge_card_rule',
    access: ['make_card', 'card_manage'],
    summary: ['制卡', 'Make cards: creates one batch per card type'],
    input: makeInput,
    shape: shape<RequestedCards>(),
  },
  read: {
    kind: 'detail',
    path: 'recharge_card_rule/{id}',
    summary: ['查看制卡批次', 'Read one card batch'],
    output: {
      ...pick(fields, ...cardRuleResource.columns),
      ...pick(fields, 'device_id', 'device_group_id'),
      id: int(['编号', 'ID'], { required: true }),
      version: int(['版本', 'Version'], { required: true }),
    },
  },
  update: {
    kind: 'update',
    path: 'recharge_card_rule/{id}',
    summary: ['修改制卡批次', 'Change a card batch'],
    input: editInput,
    versioned: true,
  },
  remove: { kind: 'delete', path: 'recharge_card_rule/{id}', summary: ['删除制卡批次', 'Delete a card batch'] },
  void: {
    kind: 'command',
    path: 'recharge_card_rule/{id}/void',
    summary: ['作废批次中未使用的卡片', 'Void the unused cards of a batch'],
  },
  export: {
    kind: 'export',
    path: 'recharge_card/export/rule',
    summary: ['导出制卡批次', 'Start an export of card batches'],
    input: { ids, format: choice(['文件格式', 'File format'], cardExportFormat, { default: 'xlsx' }) },
    shape: shape<RequestedExport>(),
  },
  option: {
    kind: 'option',
    path: 'recharge_card_rule/option',
    access: 'session',
    summary: ['制卡批次选项', 'Option list of card batches'],
    input: lookupInput,
    shape: shape<Record<string, string>>(),
  },
});

const onlyUntouched: Text = ['仅制卡完成且没有卡片被使用的批次可以删除', 'Only for completed batches without used cards'];

export const cardManage = page({
  ...headOf('cardManage'),
  resource: cardRuleResource,
  list: cardRuleCalls.list,
  forms: { edit: form(['编辑制卡批次', 'Edit card batch'], editInput) },
  actions: {
    make: { on: 'toolbar', label: ['制卡', 'Make cards'], to: '/card/make' },
    export: {
      on: 'batch',
      label: ['导出批次', 'Export batch'],
      call: cardRuleCalls.export,
      when: (row) => row.state === 'ready',
      why: ['制卡完成的批次才能导出', 'Only completed batches can be exported'],
    },
    cards: { on: 'row', label: ['查看卡片', 'Cards'], to: '/card/all?rule_id=:id' },
    detail: { on: 'row', label: ['详情', 'Details'], call: cardRuleCalls.read },
    edit: { on: 'row', label: ['编辑', 'Edit'], call: cardRuleCalls.update, form: 'edit', when: (row) => row.state === 'ready' },
    void: {
      on: 'row',
      label: ['作废', 'Void'],
      call: cardRuleCalls.void,
      danger: true,
      when: (row) => row.state !== 'making' && row.used_count !== row.made_count,
      why: ['仅制卡完成且有未使用卡片的批次可以作废', 'Only for completed batches with unused cards'],
      confirm: [
        '作废后，该批次所有未使用的卡片不能再充值，且不可恢复；卡片记录保留。确定作废吗？',
        'All unused cards of the batch become invalid for good. Their rows are kept. Void them?',
      ],
    },
    delete: removeAction(cardRuleCalls.remove, ['批次', 'batch'], {
      when: (row) => row.used_count === 0 && row.state !== 'making' && (row.revealed_at ?? null) === null,
      why: (row) => (row.used_count !== 0 || row.state === 'making' ? onlyUntouched : errors.card_batch_revealed.text),
    }),
  },
});

export const makeCard = page({
  ...headOf('makeCard'),
  forms: { make: form(['制卡', 'Make cards'], makeInput) },
  actions: {
    submit: {
      on: 'toolbar',
      label: ['确认制卡', 'Make cards'],
      call: cardRuleCalls.make,
      form: 'make',
      confirm: ['制卡后卡号与密码不可修改，确定制卡吗？', 'Numbers and passwords cannot be changed afterwards. Make the cards?'],
    },
    cancel: { on: 'toolbar', label: ['取消', 'Cancel'], to: '/card/manage' },
  },
});

/** The expiry has another label on a single card. */
export const cardExpiry = variant(cardTerms.expire_at, { label: ['有效期至', 'Expiry'] });
