import type { Text } from '../kit/text.ts';

/** Reasons for the state of a reporting task. */
export const dpiReasons = {
  timed: ['等待预约时间', 'Waiting for the scheduled time'],
  offline: ['设备离线，上线后自动执行', 'Offline; starts when the device comes online'],
  link: ['当前为L波段链路，切换到其他链路后执行', 'On L-band; starts after switching to another link'],
  unauthorized: ['设备授权已过期或暂停', 'Authorization expired or suspended'],
  sent: ['已通知设备，等待响应', 'Device notified, waiting for a reply'],
  lost: ['设备在上报中离线，上线后继续', 'Went offline while reporting; continues when it comes online'],
  retry: ['上传失败，稍后重试：{0}', 'Upload failed; will be tried again: {0}'],
  importing: ['正在导入数据', 'Importing the data'],
  import: ['导入失败，稍后重试：{0}', 'Import failed; will be tried again: {0}'],
  cut: ['已达流量上限，数据截至 {0}', 'Traffic limit reached; data until {0}'],
  full: ['已达流量上限', 'Traffic limit reached'],
  last: ['最近上报：{0}，{1}', 'Last report: {0}, {1}'],
  stopped: ['已由操作员停止', 'Stopped by an operator'],
  device_gone: ['设备已删除', 'The device has been deleted'],
  device_moved: ['设备已转移到其他VNO', 'The device has been transferred to another VNO'],
  unsupported: ['设备版本不支持该操作', 'The firmware of the device does not support this'],
  expired: ['设备未在期限内响应', 'The device did not reply in time'],
  limit: ['数据超过流量上限', 'The data exceeds the traffic limit'],
  hash: ['收到的文件与校验值不符', 'The received file does not have the right checksum'],
  too_large: ['文件展开后过大', 'The file is too large when it is unpacked'],
  malformed: ['文件格式不正确：第{0}行', 'The file is malformed: line {0}'],
  damaged: ['文件已损坏', 'The file is damaged'],
  missing: ['文件已丢失', 'The file is missing'],
  not_received: ['设备报告已上传，但未收到文件', 'The device reported the upload, but no file arrived'],
} as const satisfies Record<string, Text>;
export type DpiReason = keyof typeof dpiReasons;
export const isDpiReason = (value: unknown): value is DpiReason => typeof value === 'string' && Object.hasOwn(dpiReasons, value);
