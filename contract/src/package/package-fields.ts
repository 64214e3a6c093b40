import { bool, choice, date, int, link, longText, money, option, options, pick, speed, tags, text, time, variant } from '../kit/field.ts';
import type { Values } from '../kit/values.ts';
import { references } from '../references.ts';
import { rules } from '../rules.ts';
import { bindType, cycleUnit, flowUnit, onlineType, packageType, timeUnit } from './choices.ts';
import { packageRules } from './package-rules.ts';

const hasTime = (v: Values) => v.package_type === 'time' || v.package_type === 'time_flow';
const hasFlow = (v: Values) => v.package_type === 'flow' || v.package_type === 'time_flow';
const hasCycle = (v: Values) => v.cycle_enable === true;
const amount = rules.number_range(1, 1_000_000);

/** A package can use templates of its VNO or of a VNO above it. */
const ofLine = { lookupBy: ['vno_id'], lookupParams: { line: true } } as const;

const keepsSpeed = ['留空：沿用所加套餐的速率；0：不限速', 'Empty: the speed of the package that it extends stays. 0: no limit'] as const;

export const packageFields = {
  id: int(['套餐ID', 'ID'], { sort: true, hiddenByDefault: true }),
  name: link(['套餐名称', 'Package name'], {
    required: true,
    rules: [rules.text_cn_128, rules.no_quotes],
    sort: true,
    tooltip: true,
    width: 200,
  }),
  package_type: choice(['套餐类型', 'Package type'], packageType, { required: true, default: 'flow', width: 130 }),
  capacity: text(['容量', 'Capacity'], { noTruncate: true, tips: ['时长/流量及单位', 'Time and flow with units'] }),
  cycle: text(['周期重置', 'Cycle reset'], { width: 160 }),
  up_speed: speed(['上行速率', 'Up speed'], { required: true, rules: [rules.zero_unlimited], default: 0 }),
  down_speed: speed(['下行速率', 'Down speed'], { required: true, rules: [rules.zero_unlimited], default: 0 }),
  up_guarantee: speed(['上行保障', 'Guaranteed up'], {
    rules: [rules.zero_unlimited, packageRules.guaranteeWithin('up_speed')],
    default: 0,
    hiddenByDefault: true,
  }),
  down_guarantee: speed(['下行保障', 'Guaranteed down'], {
    rules: [rules.zero_unlimited, packageRules.guaranteeWithin('down_speed')],
    default: 0,
    hiddenByDefault: true,
  }),
  own_up_speed: speed(['上行速率', 'Up speed'], { rules: [rules.zero_unlimited], tips: keepsSpeed }),
  own_down_speed: speed(['下行速率', 'Down speed'], { rules: [rules.zero_unlimited], tips: keepsSpeed }),
  price: money(['价格', 'Price'], { required: true, rules: [rules.price], sort: true }),
  priority: int(['优先级', 'Priority'], {
    required: true,
    rules: [rules.number_range(1, 999)],
    default: 100,
    sort: true,
    hiddenByDefault: true,
    tips: ['数字越小优先级越高，优先使用', 'A lower number means higher priority (used first)'],
  }),
  weight: int(['权重', 'Weight'], {
    rules: [rules.number_range(0, 9999)],
    default: 0,
    sort: true,
    hiddenByDefault: true,
    tips: ['数字越大排序越靠前', 'A higher weight sorts first'],
  }),
  online_type: choice(['上网方式', 'Online type'], onlineType, { required: true, default: 0 }),
  used_count: int(['使用数', 'Used count'], { sort: true }),
  is_hide: bool(['隐藏套餐', 'Hidden'], { default: false }),
  application_name: text(['应用模板', 'Application template'], { tooltip: true, hiddenByDefault: true, to: references.appTemplate }),
  policy_name: text(['信控模板', 'Credit control template'], { tooltip: true, hiddenByDefault: true, to: references.controlTemplate }),
  device_name: tags(['适用设备', 'Devices'], { tooltip: true, hiddenByDefault: true, to: references.devices }),
  group_name: tags(['适用设备组', 'Device groups'], { tooltip: true, hiddenByDefault: true, to: references.group }),
  description: longText(['套餐说明', 'Description'], { rules: [rules.free_512], tooltip: true, hiddenByDefault: true }),
  agent_name: text(['所属VNO', 'VNO'], { tooltip: true, hiddenByDefault: true, to: references.vno }),
  expire_at: date(['有效期至', 'Expires at'], { sort: true }),
  create_at: time(['创建时间', 'Created at'], { sort: true, hiddenByDefault: true }),
  device_id: options(['设备', 'Device'], 'device/option'),
  device_group_id: options(['设备组', 'Device group'], 'device/group/option'),
  application_id: option(['应用模板', 'Application template'], 'application/option', ofLine),
  policy_id: option(['信控模板', 'Credit control template'], 'policy/option', ofLine),
  vno_id: option(['所属VNO', 'VNO'], 'agent/option'),
};

export const capacityFields = {
  time_capacity: int(['时长', 'Duration'], { required: true, rules: [amount, packageRules.durationBeforeExpiry], when: hasTime }),
  time_unit: choice(['时长单位', 'Duration unit'], timeUnit, { required: true, default: 'day', when: hasTime }),
  flow_capacity: int(['流量', 'Flow'], { required: true, rules: [amount], when: hasFlow }),
  flow_unit: choice(['流量单位', 'Flow unit'], flowUnit, { required: true, default: 'GB', when: hasFlow }),
};

const cycleFields = {
  cycle_enable: bool(['周期重置', 'Cycle reset'], { default: false }),
  cycle_length: int(['周期时长', 'Cycle length'], {
    required: true,
    rules: [rules.number_range(1, 999), packageRules.resetBeforeExpiry],
    when: hasCycle,
  }),
  cycle_unit: choice(['周期单位', 'Cycle unit'], cycleUnit, { required: true, default: 'month', when: hasCycle }),
  cycle_quota: int(['每周期配额', 'Quota per cycle'], { required: true, rules: [amount, packageRules.quotaWithinTotal], when: hasCycle }),
  cycle_quota_unit: choice(['配额单位', 'Quota unit'], flowUnit, {
    required: true,
    default: 'GB',
    when: (v) => hasCycle(v) && v.package_type !== 'time',
  }),
};

/** For the edit form; lists show `capacity` and `cycle` instead. */
export const hiddenAmounts = {
  time_capacity: variant(capacityFields.time_capacity, { hidden: true }),
  time_unit: variant(capacityFields.time_unit, { hidden: true }),
  flow_capacity: variant(capacityFields.flow_capacity, { hidden: true }),
  flow_unit: variant(capacityFields.flow_unit, { hidden: true }),
  cycle_enable: variant(cycleFields.cycle_enable, { hidden: true }),
  cycle_length: variant(cycleFields.cycle_length, { hidden: true }),
  cycle_unit: variant(cycleFields.cycle_unit, { hidden: true }),
  cycle_quota: variant(cycleFields.cycle_quota, { hidden: true }),
  cycle_quota_unit: variant(cycleFields.cycle_quota_unit, { hidden: true }),
};

export const inKbps = (label: readonly [string, string]) => ({ label: [`${label[0]}（kbps）`, `${label[1]} (kbps)`] as const });

export const packageBindingFields = {
  bind_type: choice(['适用范围', 'Applies to'], bindType, { required: true, default: 'device' }),
  device_id: options(['适用设备', 'Devices'], 'device/option', { required: true, when: (v) => v.bind_type === 'device' }),
  device_group_id: options(['适用设备组', 'Device groups'], 'device/group/option', {
    lookupParams: { subject: 'package' },
    required: true,
    when: (v) => v.bind_type === 'group',
  }),
};

/** A new package cannot have expired already. */
export const newExpiry = { expire_at: variant(packageFields.expire_at, { rules: [packageRules.notExpired] }) };

export const netInput = {
  ...pick(packageFields, 'name', 'package_type'),
  ...capacityFields,
  ...cycleFields,
  up_speed: variant(packageFields.up_speed, inKbps(packageFields.up_speed.label)),
  down_speed: variant(packageFields.down_speed, inKbps(packageFields.down_speed.label)),
  up_guarantee: variant(packageFields.up_guarantee, inKbps(packageFields.up_guarantee.label)),
  down_guarantee: variant(packageFields.down_guarantee, inKbps(packageFields.down_guarantee.label)),
  price: variant(packageFields.price, { label: ['价格（元）', 'Price (yuan)'] }),
  ...pick(packageFields, 'priority', 'weight', 'online_type', 'expire_at'),
  is_hide: variant(packageFields.is_hide, { label: ['隐藏套餐', 'Hidden package'] }),
  ...pick(packageFields, 'application_id', 'policy_id'),
  ...packageBindingFields,
  description: packageFields.description,
};
