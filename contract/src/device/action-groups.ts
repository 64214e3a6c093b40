import type { Text } from '../kit/text.ts';

/** Menu entries of a device that group several actions. */
export const deviceActionGroups = {
  view: ['查看', 'View'],
  remote: ['远程操作', 'Remote'],
  settings: ['设置', 'Settings'],
  binding: ['授权、绑定与转移', 'Authorization and transfer'],
  firmware: ['固件', 'Firmware'],
  sampling: ['采集周期', 'Sampling interval'],
  video: ['视频设置', 'Video settings'],
} as const satisfies Record<string, Text>;
