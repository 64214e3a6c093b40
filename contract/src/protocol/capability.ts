import type { Text } from '../kit/text.ts';

/** Capabilities that a gateway declares, as a refusal names them. */
export const capabilityNames = {
  dpi: ['DPI上报', 'DPI reports'],
  transfer: ['设备转移', 'device transfers'],
  portal: ['门户', 'portals'],
} as const satisfies Record<string, Text>;
