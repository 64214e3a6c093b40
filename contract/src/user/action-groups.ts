import type { Text } from '../kit/text.ts';

/** Menu entries of an account that group several actions. */
export const userActionGroups = {
  status: ['账号状态', 'Account status'],
  settings: ['账号设置', 'Account settings'],
} as const satisfies Record<string, Text>;
