import type { Lang, Text } from '../kit/text.ts';

/** Protocol codes of gateways, with texts for operators. */
const texts: Readonly<Record<string, Text>> = {
  // Reasons of a link change.
  lost: ['链路中断', 'Link lost'],
  coverage: ['驶出覆盖区', 'Out of coverage'],
  rain: ['雨衰', 'Rain fade'],
  quality: ['链路质量下降', 'Poor link quality'],
  better: ['切换至更优链路', 'Switched to a better link'],
  fence: ['电子围栏触发', 'Fence'],
  manual: ['网关本地切换', 'Switched at the gateway'],
  lock: ['平台锁定链路', 'Locked by the platform'],
  unlock: ['平台解除锁定', 'Unlocked by the platform'],
  switch: ['平台切换链路', 'Switched by the platform'],
  // Actions of a fence.
  portal: ['切换门户', 'Show another portal'],
  mute: ['关闭发射', 'Stop transmitting'],
  // Reasons why a command failed.
  'no such link': ['设备没有该链路', 'The device does not have this link'],
  'the link is down': ['该链路当前不可用', 'The link is down'],
  'no such container': ['没有该容器', 'Container not found'],
  'not enabled': ['Docker未开启', 'Docker is not enabled'],
  unsupported: ['网关不支持该操作', 'The gateway does not support this'],
  expired: ['指令已过期', 'The command has expired'],
  'no answer': ['网关未在期限内应答', 'The gateway did not reply in time'],
  unreadable: ['网关的应答无法识别', 'The reply of the gateway is not readable'],
  'no containers': ['没有容器', 'No containers'],
};

/** The text for operators if known, otherwise the code of the gateway. */
export const fieldText = <T extends string | null>(code: T, lang: Lang): string | T => {
  const known = code === null ? undefined : texts[code];
  return known ? known[lang === 'en' ? 1 : 0] : code;
};
