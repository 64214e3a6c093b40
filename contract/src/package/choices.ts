import { choice } from '../kit/field.ts';

export const packageType = [
  { id: 'time', label: ['时长套餐', 'Time'], color: 'blue' },
  { id: 'flow', label: ['流量套餐', 'Flow'], color: 'green' },
  { id: 'time_flow', label: ['时长+流量套餐', 'Time + flow'], color: 'purple' },
] as const;

export const timeUnit = [
  { id: 'minute', label: ['分钟', 'Minute'] },
  { id: 'hour', label: ['小时', 'Hour'] },
  { id: 'day', label: ['天', 'Day'] },
] as const;

export const flowUnit = [
  { id: 'KB', label: ['KB', 'KB'] },
  { id: 'MB', label: ['MB', 'MB'] },
  { id: 'GB', label: ['GB', 'GB'] },
  { id: 'TB', label: ['TB', 'TB'] },
] as const;

export const cycleUnit = [
  { id: 'hour', label: ['小时', 'Hour'] },
  { id: 'day', label: ['天', 'Day'] },
  { id: 'week', label: ['周', 'Week'] },
  { id: 'month', label: ['月', 'Month'] },
] as const;

export const onlineType = [
  { id: 0, label: ['不限', 'Unlimited'], color: 'default' },
  { id: 1, label: ['无线', 'Wireless'], color: 'blue' },
  { id: 2, label: ['有线', 'Wired'], color: 'cyan' },
] as const;

export const bindType = [
  { id: 'device', label: ['绑定设备', 'Device'], color: 'blue' },
  { id: 'group', label: ['绑定设备组', 'Device group'], color: 'cyan' },
] as const;

export const appMode = [
  { id: 0, label: ['禁止', 'Forbid'], color: 'red' },
  { id: 1, label: ['允许', 'Allow'], color: 'green' },
] as const;

export const policyAction = [
  { id: 0, label: ['不处理', 'None'], color: 'default' },
  { id: 1, label: ['限速', 'Slow down'], color: 'orange' },
  { id: 2, label: ['停机', 'Stop (shutdown)'], color: 'red' },
] as const;

/** Which packages an option list offers. */
export const packageKindField = choice(
  ['套餐类别', 'Kind'],
  [
    { id: 'online', label: ['上网套餐', 'Online'] },
    { id: 'addition', label: ['加油包', 'Extra'] },
  ] as const,
  { hidden: true },
);
