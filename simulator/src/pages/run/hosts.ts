import { isIpv4 } from '@farlink/gateway/kit/address.ts';
import { seedOf } from '../../random.ts';
import { apps } from '../apps.ts';
import { ActionFault, type ActionRun } from './action-run.ts';

const known = new Map(apps.map(({ host, ip }) => [host, ip]));

/** A host name always has the same address; names below `.invalid` have none. */
export const addressOf = (host: string): string | undefined => {
  if (isIpv4(host)) return host;
  if (/(^|\.)invalid$/.test(host)) return undefined;
  const n = Math.abs(seedOf(host, 7));
  return known.get(host) ?? `${23 + (n % 180)}.${(n >> 8) & 255}.${(n >> 16) & 255}.${1 + (n % 253)}`;
};

export const resolved = (host: string): string => {
  const ip = addressOf(host);
  if (ip === undefined) throw new ActionFault(`cannot resolve ${host}`);
  return ip;
};

const isLocal = (ip: string) => /^(192\.168|10)\./.test(ip);

/** Route to an address from an interface, or the default route; undefined: none at present. */
export const wayTo = (run: ActionRun, ip: string): { readonly rtt: number; readonly via: string } | undefined => {
  const from = run.args.interface;
  const wan = run.snapshot.wans.find((one) => one.name === from);
  if (isLocal(ip) && !wan) return { rtt: 1, via: 'lan' };
  const used = wan ?? (from === undefined ? run.snapshot.active : undefined);
  return used?.now?.s === 1 ? { rtt: used.now.r ?? 600, via: used.name } : undefined;
};
