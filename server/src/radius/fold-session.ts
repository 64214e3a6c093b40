import { maxBytesPerSecond } from '@farlink/gateway/protocol/limits.ts';
import { statusTypes } from '@farlink/gateway/radius/attributes.ts';
import { boundedBytes } from '../db/bounded.ts';
import type { AccountRequest } from './account-request.ts';

export type EndCause = 'user' | 'kick' | 'idle' | 'quota' | 'lost' | 'expired' | 'session';
export type EndReason = 'kick' | 'quota' | 'expired' | 'stale';

/** Accounting state of a session. */
export interface AccountedSession {
  readonly login_at: number;
  readonly logout_at: number | null;
  readonly terminate_cause: EndCause | null;
  readonly end_reason: EndReason | null;
  readonly up_bytes: number;
  readonly down_bytes: number;
  /** Last counters of the NAS. */
  readonly acct_in: number | null;
  readonly acct_out: number | null;
  readonly acct_seconds: number | null;
  readonly has_gigawords: boolean;
  readonly last_at: number;
  readonly up_speed: number;
  readonly down_speed: number;
  readonly ip: string | null;
  readonly mac: string | null;
  readonly nas_ip: string | null;
  readonly grant_bytes: number | null;
}

/** Usage since the last request, exactly once. */
export interface Gain {
  readonly up: number;
  readonly down: number;
  readonly seconds: number;
  /** Start of the seconds. */
  readonly at: number;
}

const gigaword = 2 ** 32;

interface Order {
  /** The session time of the NAS has grown. */
  readonly isProved: boolean;
  /** The NAS sends no session time, so an older request and a wrap look the same. */
  readonly isGuessed: boolean;
  readonly seconds: number;
  /** The NAS sends 64 bits, so nothing wraps. */
  readonly isWide: boolean;
}

/** The counter after a request, and the traffic since the one before. A fall is a wrap of 32 bits, a reset, or an older request. */
export const nextCounter = (
  before: number | null,
  after: number | undefined,
  { isProved, isGuessed, seconds, isWide }: Order,
): { readonly counter: number | null; readonly gain: number } => {
  if (after === undefined) return { counter: before, gain: 0 };
  if (before === null) return { counter: after, gain: after };
  if (after >= before) return { counter: after, gain: after - before };
  if (!isProved && !(isGuessed && before - after > gigaword / 2)) return { counter: before, gain: 0 };
  const wrapped = (((after - before) % gigaword) + gigaword) % gigaword;
  // A larger jump is a reset of the counter and not a wrap.
  const isWrap = !isWide && wrapped <= Math.max(1, seconds) * maxBytesPerSecond;
  return { counter: after, gain: isWrap ? wrapped : after };
};

/** Acct-Terminate-Cause of RFC 2866 5.10. */
const causes: Readonly<Record<number, EndCause>> = {
  2: 'lost',
  3: 'lost',
  4: 'idle',
  5: 'session',
  6: 'kick',
  7: 'lost',
  8: 'lost',
  9: 'lost',
  11: 'lost',
};

/** A NAS reports the end of a quota as session timeout or as its own request. */
const causeOf = (session: AccountedSession, { cause }: AccountRequest, total: number): EndCause => {
  const reported = causes[cause ?? 1] ?? 'user';
  if (session.end_reason && session.end_reason !== 'stale' && (cause === 6 || cause === 10 || cause === 5)) return session.end_reason;
  const isOut = session.grant_bytes !== null && total >= session.grant_bytes;
  return isOut && (cause === 5 || cause === 10) ? 'quota' : reported;
};

/** Requests are ordered by the session time of the NAS, else by their time. */
const isNewer = (session: AccountedSession, request: AccountRequest) =>
  request.seconds !== undefined && session.acct_seconds !== null ? request.seconds >= session.acct_seconds : request.at >= session.last_at;

const countersAfter = (session: AccountedSession, request: AccountRequest) => {
  const known = session.acct_seconds ?? 0;
  if (!isNewer(session, request)) {
    const input = session.acct_in;
    const output = session.acct_out;
    return { input: { counter: input, gain: 0 }, output: { counter: output, gain: 0 }, seconds: 0, acct_seconds: session.acct_seconds };
  }
  const seconds = Math.max(0, (request.seconds ?? Math.max(known, request.at - session.login_at)) - known);
  const isGuessed = request.seconds === undefined;
  const order = { isProved: !isGuessed && seconds > 0, isGuessed, seconds, isWide: session.has_gigawords || request.hasGigawords };
  return {
    input: nextCounter(session.acct_in, request.input, order),
    output: nextCounter(session.acct_out, request.output, order),
    seconds,
    acct_seconds: known + seconds,
  };
};

/** A later interim reopens only a session that the console ended because of missing reports. */
const isAlive = (session: AccountedSession, request: AccountRequest) =>
  session.logout_at !== null && session.end_reason === 'stale' && request.status === statusTypes.interim && request.at > session.logout_at;

const endOf = (session: AccountedSession, request: AccountRequest, total: number) => {
  const { logout_at, terminate_cause, end_reason } = session;
  if (isAlive(session, request)) return { logout_at: null, terminate_cause: null, end_reason: null };
  const isKnown = logout_at !== null && terminate_cause !== 'lost';
  if (request.status !== statusTypes.stop || isKnown) return { logout_at, terminate_cause, end_reason };
  return { logout_at: Math.max(request.at, session.login_at), terminate_cause: causeOf(session, request, total), end_reason };
};

const kilobytesPerSecond = (bytes: number, seconds: number) => Math.min(2_147_483_647, Math.floor(bytes / seconds / 1024));

/**
 * The session after a request. Repeated and reordered requests change nothing: counters are absolute, and only a newer request moves them.
 */
export const foldSession = (
  session: AccountedSession,
  request: AccountRequest,
): { readonly session: AccountedSession; readonly gain: Gain } => {
  const { input, output, seconds, acct_seconds } = countersAfter(session, request);
  const gain = { up: input.gain, down: output.gain, seconds, at: request.at - seconds };
  const up = boundedBytes(session.up_bytes + gain.up);
  const down = boundedBytes(session.down_bytes + gain.down);
  const end = endOf(session, request, up + down);
  const speeds =
    end.logout_at !== null
      ? { up_speed: 0, down_speed: 0 }
      : gain.seconds > 0
        ? { up_speed: kilobytesPerSecond(gain.up, gain.seconds), down_speed: kilobytesPerSecond(gain.down, gain.seconds) }
        : { up_speed: session.up_speed, down_speed: session.down_speed };
  const after: AccountedSession = {
    ...session,
    ...end,
    ...speeds,
    login_at: request.status === statusTypes.start ? Math.min(session.login_at, request.at) : session.login_at,
    up_bytes: up,
    down_bytes: down,
    acct_in: input.counter,
    acct_out: output.counter,
    acct_seconds,
    has_gigawords: session.has_gigawords || request.hasGigawords,
    last_at: Math.max(session.last_at, request.at),
    ip: request.ip ?? session.ip,
    mac: request.mac ?? session.mac,
    nas_ip: request.nas_ip ?? session.nas_ip,
  };
  return { session: after, gain };
};

/** The session before its first request. If it is not a start, its session time gives the login time. */
export const newSession = (request: AccountRequest, grantBytes: number | null): AccountedSession => {
  const login_at = request.status === statusTypes.start ? request.at : request.at - (request.seconds ?? 0);
  return {
    login_at,
    logout_at: null,
    terminate_cause: null,
    end_reason: null,
    up_bytes: 0,
    down_bytes: 0,
    acct_in: null,
    acct_out: null,
    acct_seconds: null,
    has_gigawords: false,
    last_at: login_at,
    up_speed: 0,
    down_speed: 0,
    ip: null,
    mac: null,
    nas_ip: null,
    grant_bytes: grantBytes,
  };
};
