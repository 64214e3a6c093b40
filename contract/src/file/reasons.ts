import type { Text } from '../kit/text.ts';

/** Reasons for the state of one device of a task. */
export const fileReasons = {
  timed: ['等待计划时间', 'Waiting for the scheduled time'],
  paused: ['任务已暂停', 'The task is paused'],
  offline: ['设备离线，上线后自动下发', 'Offline; sent when it comes online'],
  link: ['当前为L波段链路，切换到其他链路后下发', 'On L-band; sent after switching to another link'],
  unauthorized: ['设备授权已过期或暂停', 'Authorization expired or suspended'],
  retry: ['下载失败，{0} 重试（第{1}次）：{2}', 'Download failed; retry {1} at {0}: {2}'],
  queued: ['排队中，等待其他设备完成', 'Queued behind other devices'],
  sent: ['已通知设备，等待响应', 'Device notified, waiting for a reply'],
  lost: ['设备在下载中离线，上线后继续', 'Went offline during the download; continues when it comes online'],
  deleting: ['等待设备删除文件', 'Waiting for the device to delete the file'],
  undeleted: ['删除失败：{0}', 'Delete failed: {0}'],
  stopped: ['任务已停止', 'The task was stopped'],
  device_gone: ['设备已删除', 'The device has been deleted'],
  device_moved: ['设备已转移到其他VNO', 'The device has been transferred to another VNO'],
  expired: ['超过期限未完成', 'Not completed in time'],
  unsupported: ['设备版本不支持该操作', 'The firmware of the device does not support this'],
} as const satisfies Record<string, Text>;
export type FileReason = keyof typeof fileReasons;
export const isFileReason = (value: unknown): value is FileReason => typeof value === 'string' && Object.hasOwn(fileReasons, value);
