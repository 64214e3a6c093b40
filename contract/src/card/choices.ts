import { machine } from '../kit/machine.ts';

export const cardType = [
  { id: 'package', label: ['套餐卡', 'Package card'], color: 'blue' },
  { id: 'amount', label: ['金额卡', 'Amount card'], color: 'gold' },
] as const;

export const cardBindType = [
  { id: 'none', label: ['不绑定', 'Not bound'], color: 'default' },
  { id: 'device', label: ['绑定设备', 'Device'], color: 'blue' },
  { id: 'group', label: ['绑定设备组', 'Device group'], color: 'cyan' },
] as const;
export type CardBindType = (typeof cardBindType)[number]['id'];

/** Every transition from `unused` is final. */
export const cardStatus = machine(
  {
    unused: { id: 'unused', label: ['未使用', 'Unused'], color: 'blue' },
    used: { id: 'used', label: ['已使用', 'Used'], color: 'green' },
    expired: { id: 'expired', label: ['已过期', 'Expired'], color: 'orange' },
    disabled: { id: 'disabled', label: ['已作废', 'Voided'], color: 'default' },
  },
  {
    redeem: { from: ['unused'], to: 'used' },
    expire: { from: ['unused'], to: 'expired' },
    void: { from: ['unused'], to: 'disabled' },
    change: { from: ['unused'], to: 'unused' },
  },
);

/** Progress of a batch. */
export const cardRuleState = [
  { id: 'making', label: ['制卡中', 'Making'], color: 'blue' },
  { id: 'ready', label: ['已完成', 'Ready'], color: 'green' },
  { id: 'failed', label: ['制卡失败', 'Failed'], color: 'red' },
] as const;

export const cardExportKind = [
  { id: 'rule', label: ['制卡批次', 'Card batch'], color: 'blue' },
  { id: 'card', label: ['充值卡', 'Cards'], color: 'green' },
] as const;

export const cardExportFormat = [
  { id: 'csv', label: ['CSV', 'CSV'] },
  { id: 'xlsx', label: ['Excel (XLSX)', 'Excel (XLSX)'] },
  { id: 'pdf', label: ['打印卡片 (PDF)', 'Print sheet (PDF)'] },
] as const;
