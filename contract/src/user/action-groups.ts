import type { Text } from '../kit/text.ts';

/** Entries of an account's menu that hold several actions. */
export const userGroups = {
  status: ['账号状态', 'Account status'],
  settings: ['账号设置', 'Account settings'],
} as const satisfies Record<string, Text>;
