import { maxBytes } from '@farlink/gateway/protocol/limits.ts';

/** SQL of a sum that fits a number, also if up and down are added. A gateway can report any counters. */
export const bounded = (sum: string): string => `(case when ${sum} > ${maxBytes} then ${maxBytes} else ${sum} end)::bigint`;

/** The same for a sum in TypeScript. */
export const boundedBytes = (sum: number): number => Math.min(sum, maxBytes);

/** A number that exceeds the range of its column or type. */
export const isOutOfRange = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '22003';
