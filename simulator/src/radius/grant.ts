import type { AttributeName } from '@farlink/gateway/radius/attributes.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { intOf, ipOf, octetsOf } from '@farlink/gateway/radius/values.ts';
import type { EndReason } from '../end-reason.ts';
import { type Bytes, clipped, noBytes } from '../quota.ts';

/** What RADIUS allows a session. Undefined is no limit. */
export interface Grant {
  /** Bytes per second. */
  readonly up: number | undefined;
  readonly down: number | undefined;
  /** Bytes of the whole session, both directions. */
  readonly bytes: number | undefined;
  /** Seconds of the whole session. */
  readonly seconds: number | undefined;
  /** Seconds without traffic. */
  readonly idle: number | undefined;
  /** Seconds between two interim updates. */
  readonly interim: number | undefined;
  /** Repeated in accounting. */
  readonly class: Buffer | undefined;
  readonly ip: string | undefined;
}

const word = 2 ** 32;

const speedOf = (packet: Packet, wispr: AttributeName, chilli: AttributeName): number | undefined => {
  const kilobits = intOf(packet, chilli);
  const bits = intOf(packet, wispr) ?? (kilobits === undefined ? undefined : kilobits * 1000);
  return bits ? Math.floor(bits / 8) : undefined;
};

const quotaOf = (packet: Packet): number | undefined => {
  const low = intOf(packet, 'ChilliSpot-Max-Total-Octets');
  const high = intOf(packet, 'ChilliSpot-Max-Total-Gigawords');
  return low === undefined && high === undefined ? undefined : (low ?? 0) + (high ?? 0) * word;
};

const limitsOf = (packet: Packet) => ({
  up: speedOf(packet, 'WISPr-Bandwidth-Max-Up', 'ChilliSpot-Bandwidth-Max-Up'),
  down: speedOf(packet, 'WISPr-Bandwidth-Max-Down', 'ChilliSpot-Bandwidth-Max-Down'),
  bytes: quotaOf(packet),
});

/** Limits of an Access-Accept. */
export const grantOf = (packet: Packet): Grant => ({
  ...limitsOf(packet),
  seconds: intOf(packet, 'Session-Timeout'),
  idle: intOf(packet, 'Idle-Timeout'),
  interim: intOf(packet, 'Acct-Interim-Interval'),
  class: octetsOf(packet, 'Class'),
  ip: ipOf(packet, 'Framed-IP-Address'),
});

/** Limits after a CoA-Request. RFC 5176: what is missing stays as it is. */
export const changedGrant = (grant: Grant, packet: Packet): Grant => {
  const { up, down, bytes } = limitsOf(packet);
  return {
    ...grant,
    up: up ?? grant.up,
    down: down ?? grant.down,
    bytes: bytes ?? grant.bytes,
    seconds: intOf(packet, 'Session-Timeout') ?? grant.seconds,
    idle: intOf(packet, 'Idle-Timeout') ?? grant.idle,
  };
};

const slower = (bytes: number, speed: number | undefined, seconds: number | undefined) =>
  speed === undefined || seconds === undefined ? bytes : Math.min(bytes, Math.floor(speed * seconds));

/** Traffic that speeds and quota allow. Without `seconds` no speed limit applies. */
export const passGrant = (grant: Grant, used: number, { u, d }: Bytes, seconds?: number): Bytes => {
  const limited = { u: slower(u, grant.up, seconds), d: slower(d, grant.down, seconds) };
  const remaining = Math.max(0, (grant.bytes ?? Number.POSITIVE_INFINITY) - used);
  const total = limited.u + limited.d;
  if (total === 0 || remaining === 0) return noBytes;
  return total <= remaining ? limited : clipped(limited, remaining);
};

/** Reason to end a session. Undefined: it continues. */
export const grantEnd = ({ bytes, seconds }: Grant, used: number, age: number): EndReason | undefined => {
  if (bytes !== undefined && used >= bytes) return 'quota';
  return seconds !== undefined && age >= seconds ? 'session' : undefined;
};
