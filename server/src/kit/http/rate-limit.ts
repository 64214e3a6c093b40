import { isIPv6 } from 'node:net';
import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from '../deps.ts';
import { fail } from '../fail.ts';

type Seen = Map<string, { readonly minute: number; count: number }>;

/** Calls per name and minute, for each server. In memory: it only slows a flood; the locks in the database stop guessing. */
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

/** An IPv6 client usually has a whole /64, so it is limited as one. */
export const addressBlockOf = (ip: string): string => {
  if (!isIPv6(ip) || ip.includes('.')) return ip;
  const [head = [], tail = []] = ip.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
};

export const allowPublicCall = (server: Deps, ip: string, now: number, name = '') =>
  allowPerMinute(server, name + addressBlockOf(ip), limits.publicCallsPerMinute, now);
