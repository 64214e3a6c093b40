import type { Text } from '../kit/text.ts';

/** Entries of a device's menu that hold several actions. */
export const deviceGroups = {
  view: ['查看', 'View'],
  remote: ['远程操作', 'Remote'],
  binding: ['授权与绑定', 'Authorization and binding'],
  firmware: ['固件', 'Firmware'],
  transfer: ['转移', 'Transfer'],
  sampling: ['采集周期', 'Sampling interval'],
  video: ['视频设置', 'Video settings'],
} as const satisfies Record<string, Text>;
