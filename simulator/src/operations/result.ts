import type { DownCommand, Result } from '@farlink/gateway/protocol/message.ts';
import type { JsonObject } from '@farlink/gateway/protocol/shape.ts';

/** One running command: its arguments and its progress reports. */
export interface Act {
  readonly id: string;
  readonly args: DownCommand['args'];
  report(result: Result): void;
}

export const done = (out?: JsonObject, code?: number): Result => ({ st: 'done', ...(code !== undefined && { code }), ...(out && { out }) });
export const fail = (err: string, code?: number): Result => ({ st: 'fail', ...(code !== undefined && { code }), err });
