import type { Option } from '../kit/field.ts';

/** Shadow state of a setting. */
export const shadowState = [
  { id: 'none', label: ['未下发', 'Never sent'], color: 'default' },
  { id: 'unread', label: ['未读取', 'Not read yet'], color: 'gold' },
  { id: 'pending', label: ['等待下发', 'Waiting'], color: 'gold' },
  { id: 'applying', label: ['下发中', 'Being applied'], color: 'processing' },
  { id: 'applied', label: ['已生效', 'Applied'], color: 'green' },
  { id: 'failed', label: ['未能生效', 'Failed'], color: 'red' },
  { id: 'drifted', label: ['网关已自行修改', 'Changed at the gateway'], color: 'orange' },
] as const satisfies readonly Option[];

/** Reason why a message to a gateway is not sent yet. */
export const waitReason = [
  { id: 'offline', label: ['设备离线，上线后下发', 'The device is offline; sent when it comes online'] },
  { id: 'authorization', label: ['设备授权已过期或暂停', 'The authorization has expired or is suspended'] },
  { id: 'link_volume', label: ['当前为L波段链路，切换链路后下发', 'On the L-band link; sent after a link switch'] },
  { id: 'link_size', label: ['内容超过L波段链路上限，切换链路后下发', 'Too large for the L-band link; sent after a link switch'] },
  { id: 'sending', label: ['正在下发', 'On its way'] },
] as const satisfies readonly Option[];
export type WaitReason = (typeof waitReason)[number]['id'];

export interface Shadow {
  readonly state: (typeof shadowState)[number]['id'];
  /** Time of the last change here, and of the last reply of the gateway. */
  readonly update_at: number | null;
  readonly at: number | null;
  readonly waits: WaitReason | null;
  readonly err: string | null;
}
