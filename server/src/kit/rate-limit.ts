import { limits } from '@farlink/contract/limits.ts';
import { fail } from './fail.ts';

/** Public calls of one address within a minute. In memory: it slows a flood down, the locks in the database stop a guesser. */
const seen = new Map<string, { minute: number; count: number }>();

export const allowPublicCall = (ip: string, now: number) => {
  const minute = Math.floor(now / 60);
  const entry = seen.get(ip);
  if (entry?.minute === minute) {
    entry.count++;
    if (entry.count > limits.publicCallsPerMinute) throw fail('too_many');
    return;
  }
  if (seen.size > 10_000) seen.clear();
  seen.set(ip, { minute, count: 1 });
};
