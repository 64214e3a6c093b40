import type { Text } from '../kit/text.ts';

/** Services of the gateway's own traffic, by the code that gateways report. */
export const manageService: Readonly<Record<string, Text>> = {
  mqtt: ['管理通道（MQTT）', 'Management channel (MQTT)'],
  file: ['文件交换', 'File exchange'],
  remote: ['远程访问', 'Remote access'],
  radius: ['RADIUS认证计费', 'RADIUS'],
  ntp: ['时间同步（NTP）', 'Time (NTP)'],
  vpn: ['VPN', 'VPN'],
  update: ['固件升级', 'Firmware update'],
  release: ['临时放行', 'Temporary release'],
  other: ['其他', 'Other'],
};

/** Codes of services whose code or name contains the text, and the text itself, because a gateway can report a new code. */
export const servicesLike = (text: string): readonly string[] => {
  const searched = text.toLowerCase();
  const found = Object.entries(manageService).filter(([code, names]) =>
    [code, ...names].some((candidate) => candidate.toLowerCase().includes(searched)),
  );
  return [...new Set([searched, ...found.map(([code]) => code)])];
};
