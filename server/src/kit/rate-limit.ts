import { limits } from '@farlink/contract/limits.ts';
import { fail } from './fail.ts';

/** Calls under one name within a minute. In memory: it slows a flood down, the locks in the database stop a guesser. */
const seen = new Map<string, { minute: number; count: number }>();

export const allowPerMinute = (name: string, most: number, now: number) => {
  const minute = Math.floor(now / 60);
  const entry = seen.get(name);
  if (entry?.minute === minute) {
    entry.count++;
    if (entry.count > most) throw fail('too_many');
    return;
  }
  if (seen.size > 10_000) seen.clear();
  seen.set(name, { minute, count: 1 });
};

export const allowPublicCall = (ip: string, now: number) => allowPerMinute(ip, limits.publicCallsPerMinute, now);
