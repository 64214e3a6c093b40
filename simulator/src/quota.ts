import type { BlockReason } from '@farlink/gateway/protocol/account.ts';
import type { Account, Accounts } from './accounts.ts';
import type { EndReason } from './end-reason.ts';

export interface Bytes {
  readonly u: number;
  readonly d: number;
}

/** Speeds are in KB/s; 0 is unlimited. */
const kilobyte = 1024;
const limited = (bytes: number, speed: number, seconds: number) =>
  speed === 0 ? bytes : Math.min(bytes, Math.floor(speed * kilobyte * seconds));

/** The share of each direction that fits into the rest of a quota, to the byte. */
export const clipped = ({ u, d }: Bytes, remaining: number): Bytes => {
  const up = Math.min(u, Math.floor((remaining * u) / (u + d)));
  const down = Math.min(d, remaining - up);
  return { u: Math.min(u, remaining - down), d: down };
};

export const plus = (a: Bytes, b: Bytes): Bytes => ({ u: a.u + b.u, d: a.d + b.d });
export const noBytes: Bytes = { u: 0, d: 0 };

/**
 * Traffic of an account that its packages allow, counted. When one package is used up, the rest passes at the speed of the next one.
 * Without `seconds` no speed limit applies. Traffic of other accounts passes and is not counted.
 */
export const passTraffic = (accounts: Accounts, acc: string, requested: Bytes, now: number, seconds?: number): Bytes => {
  let rest = requested;
  let passed = noBytes;
  let time = seconds;
  for (;;) {
    const service = accounts.service(acc, now);
    if (!service) return plus(passed, rest);
    if (service.mode === 'stop') return passed;
    if (time !== undefined) rest = { u: limited(rest.u, service.up, time), d: limited(rest.d, service.down, time) };
    const total = rest.u + rest.d;
    if (total === 0) return passed;
    const remaining = accounts.remainingBytes(acc, now);
    const allowed = total <= remaining ? rest : clipped(rest, remaining);
    accounts.use(acc, { bytes: allowed.u + allowed.d }, now);
    passed = plus(passed, allowed);
    if (total <= remaining) return passed;
    rest = { u: rest.u - allowed.u, d: rest.d - allowed.d };
    if (time !== undefined) time *= (rest.u + rest.d) / total;
  }
};

/** Why a session of an account without service ends: used up by volume or by time, expired, or blocked by the console. */
export const endReasonOf = (reason: BlockReason, { entry, usage }: Account): EndReason => {
  if (reason === 'expired' || reason === 'no_package') return 'expired';
  if (reason !== 'shutdown') return 'kick';
  const isTime = entry.st === undefined && !entry.ph.some(({ b }) => b !== undefined && usage.bytes >= b);
  return isTime ? 'session' : 'quota';
};
