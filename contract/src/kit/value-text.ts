import type { Text } from './text.ts';

export const dayNames: readonly Text[] = [
  ['周一', 'Mon'],
  ['周二', 'Tue'],
  ['周三', 'Wed'],
  ['周四', 'Thu'],
  ['周五', 'Fri'],
  ['周六', 'Sat'],
  ['周日', 'Sun'],
];

/** Units with a translation; others are the same in both languages. */
const units: Readonly<Record<string, Text>> = {
  s: ['秒', 's'],
  min: ['分钟', 'min'],
  h: ['小时', 'h'],
  d: ['天', 'days'],
};

export const unitName = (unit: string): Text => units[unit] ?? [unit, unit];
