import type { LiveUpdate } from '@farlink/contract/device/live.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';

/** Parses complete events of a stream, and returns the incomplete rest. Comment lines are keep-alives. */
export const readEvents = (text: string): { readonly data: readonly string[]; readonly rest: string } => {
  const messages = text.split('\n\n');
  const rest = messages.pop() ?? '';
  const data = messages.flatMap((message) => {
    const lines = message.split('\n').filter((line) => line.startsWith('data:'));
    return lines.length === 0 ? [] : [lines.map((line) => line.slice(5).trimStart()).join('\n')];
  });
  return { data, rest };
};

export const updateOf = (data: string): LiveUpdate => {
  const update: unknown = JSON.parse(data);
  return isRecord(update) ? update : {};
};

const minMs = 1000;
const maxMs = 30_000;

/** Retry delay with jitter, so that clients do not reconnect at the same time after a server restart. */
export const pauseMs = (tries: number, random = Math.random()) => Math.min(minMs * 2 ** tries, maxMs) * (0.5 + random / 2);
