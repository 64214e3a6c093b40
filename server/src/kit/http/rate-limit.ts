import { isIPv6 } from 'node:net';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Db, Deps } from '../deps.ts';
import { fail } from '../fail.ts';

type CallCounts = Map<string, { readonly minute: number; count: number }>;

/** Calls per name and minute of this process: a flood is refused here without a query. */
const servers = new WeakMap<Deps, CallCounts>();
const countsOf = (server: Deps): CallCounts => {
  const counts: CallCounts = servers.get(server) ?? new Map();
  servers.set(server, counts);
  return counts;
};

const countHere = (server: Deps, name: string, minute: number): number => {
  const counts = countsOf(server);
  const entry = counts.get(name);
  if (entry?.minute === minute) return ++entry.count;
  if (counts.size > 10_000) counts.clear();
  counts.set(name, { minute, count: 1 });
  return 1;
};

/** Counts a call of any process and returns the number in this window. A process with a slow clock counts in the newest window. */
export const countCall = async (db: Db, name: string, windowS: number, now: number): Promise<number> => {
  const minute = Math.floor(now / windowS) * (windowS / 60);
  const { rows } = await sql<{ count: number }>`
    insert into rate_count as r (name, minute, count) values (${name}, ${minute}, 1) on conflict (name) do update
    set count = case when excluded.minute > r.minute then 1 else r.count + 1 end, minute = greatest(r.minute, excluded.minute)
    returning count`.execute(db);
  return rows[0]?.count ?? 0;
};

/** Refuses calls above the limit, which all processes share. */
export const allowPerMinute = async (server: Deps, name: string, limit: number, now: number): Promise<void> => {
  if (countHere(server, name, Math.floor(now / 60)) > limit) throw fail('too_many');
  if ((await countCall(server.db, name, 60, now)) > limit) throw fail('too_many');
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
