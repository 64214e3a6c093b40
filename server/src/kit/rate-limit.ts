import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from './deps.ts';
import { fail } from './fail.ts';

type Seen = Map<string, { readonly minute: number; count: number }>;

/** Calls under one name within a minute, of each server. In memory: it slows a flood down, the locks in the database stop a guesser. */
const servers = new WeakMap<Deps, Seen>();
const seenBy = (server: Deps): Seen => {
  const seen: Seen = servers.get(server) ?? new Map();
  servers.set(server, seen);
  return seen;
};

export const allowPerMinute = (server: Deps, name: string, most: number, now: number) => {
  const seen = seenBy(server);
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

export const allowPublicCall = (server: Deps, ip: string, now: number) => allowPerMinute(server, ip, limits.publicCallsPerMinute, now);
