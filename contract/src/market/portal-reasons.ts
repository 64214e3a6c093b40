import type { Text } from '../kit/text.ts';

/** Reasons for the state of a portal that was sent to a device. */
export const portalReasons = {
  timed: ['等待计划时间', 'Waiting for the scheduled time'],
  offline: ['设备离线，上线后自动下发', 'Offline; sent when it comes online'],
  link: ['当前为L波段链路，切换到其他链路后下发', 'On L-band; sent after switching to another link'],
  unauthorized: ['设备授权已过期或暂停', 'Authorization expired or suspended'],
  sent: ['已通知设备，等待响应', 'Device notified, waiting for a reply'],
  lost: ['设备在下载中离线，上线后继续', 'Went offline during the download; continues when it comes online'],
  installing: ['设备正在安装', 'The device is installing it'],
  retry: ['下载失败，稍后重试：{0}', 'Download failed; will be tried again: {0}'],
  stopped: ['已由操作员停止', 'Stopped by an operator'],
  replaced: ['已被新的下发取代', 'Replaced by a newer send'],
  device_gone: ['设备已删除', 'The device has been deleted'],
  device_moved: ['设备已转移到其他VNO', 'The device has been transferred to another VNO'],
  portal_gone: ['门户已删除', 'The portal has been deleted'],
  unsupported: ['设备版本不支持该操作', 'The firmware of the device does not support this'],
  billing_mismatch: [
    '设备的计费模式与门户的计费类型不匹配',
    'The billing mode of the device does not match the billing type of the portal',
  ],
  portal_elsewhere: ['门户须属于设备的VNO或其上级', 'The portal must belong to the VNO of the device or a VNO above it'],
  /** Reported by gateways: first word of the reason. */
  E_FETCH: ['设备下载失败：{0}', 'The device could not download it: {0}'],
  E_MISSING: ['设备未能获取文件：{0}', 'The file was not available: {0}'],
  E_CORRUPT: ['设备收到的文件与校验值不符', 'The file that the device received does not have the right checksum'],
  E_UNPACK: ['设备解压失败：{0}', 'The device could not unpack it: {0}'],
  E_PROBE: ['设备自检页面失败，已恢复原门户', 'The page did not open on the device; the previous portal is back'],
} as const satisfies Record<string, Text>;
export type PortalReason = keyof typeof portalReasons;
export const isPortalReason = (value: unknown): value is PortalReason => typeof value === 'string' && Object.hasOwn(portalReasons, value);
