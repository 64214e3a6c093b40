import { maxBytes } from '@farlink/gateway/protocol/limits.ts';
import { statusTypes } from '@farlink/gateway/radius/attributes.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { intOf, ipOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import { macOf } from '../domain/radius/mac-of.ts';
import { readClass } from './class.ts';
import type { Nas } from './registry.ts';
import { vlanOf } from './station.ts';

/** An accounting request as data. What the NAS did not send is undefined, never zero. */
export interface AccountRequest {
  readonly status: number;
  readonly account: string | undefined;
  readonly acct_id: string;
  readonly class: string | undefined;
  /** Account of our Class; the NAS may send another name. */
  readonly subscriber_id: number | undefined;
  readonly token: string | undefined;
  /** When it happened, by the NAS if its clock is credible. */
  readonly at: number;
  /** The time is that of the NAS, or its delay is known. */
  readonly isTimed: boolean;
  readonly seconds: number | undefined;
  readonly input: number | undefined;
  readonly output: number | undefined;
  /** High words were sent. */
  readonly hasGigawords: boolean;
  readonly cause: number | undefined;
  readonly mac: string | undefined;
  readonly ip: string | undefined;
  readonly nas_ip: string | undefined;
  readonly vlan: number | undefined;
}

/** The same window as for clocks of gateways: 90 days back, five minutes ahead. */
const backS = 90 * 86_400;
const aheadS = 300;

const gigaword = 2 ** 32;

/** 64 bits from octets and gigawords. High words without low words are unknown, and so is a counter that no session can reach. */
const wide = (low: number | undefined, high: number | undefined) => {
  const bytes = low === undefined ? undefined : low + (high ?? 0) * gigaword;
  return bytes === undefined || bytes > maxBytes ? undefined : bytes;
};

/** Clock of the NAS minus ours, in seconds. Undefined if the NAS sends no time. */
export const clockOffset = (packet: Packet, now: number): number | undefined => {
  const stamp = intOf(packet, 'Event-Timestamp');
  return stamp === undefined ? undefined : stamp + (intOf(packet, 'Acct-Delay-Time') ?? 0) - now;
};

/** Start, interim and stop are about a session; the others are about the NAS. */
export const hasSession = ({ status, acct_id }: AccountRequest) =>
  acct_id !== '' && (status === statusTypes.start || status === statusTypes.interim || status === statusTypes.stop);

export const readAccountRequest = (packet: Packet, nas: Nas, address: string, now: number): AccountRequest | undefined => {
  const status = intOf(packet, 'Acct-Status-Type');
  if (status === undefined) return undefined;
  const stamp = intOf(packet, 'Event-Timestamp');
  const delay = intOf(packet, 'Acct-Delay-Time');
  const isCredible = stamp !== undefined && stamp >= now - backS && stamp <= now + aheadS;
  const at = isCredible ? Math.min(stamp, now) : now - Math.min(delay ?? 0, backS);
  const [highIn, highOut] = nas.no_gigawords
    ? [undefined, undefined]
    : [intOf(packet, 'Acct-Input-Gigawords'), intOf(packet, 'Acct-Output-Gigawords')];
  const found = readClass(octetsOf(packet, 'Class'));
  return {
    status,
    account: textOf(packet, 'User-Name'),
    acct_id: textOf(packet, 'Acct-Session-Id') ?? '',
    class: found?.class,
    subscriber_id: found?.subscriberId,
    token: found?.token,
    at,
    isTimed: isCredible || (delay ?? 0) > 0,
    seconds: intOf(packet, 'Acct-Session-Time'),
    input: wide(intOf(packet, 'Acct-Input-Octets'), highIn),
    output: wide(intOf(packet, 'Acct-Output-Octets'), highOut),
    hasGigawords: highIn !== undefined || highOut !== undefined,
    cause: intOf(packet, 'Acct-Terminate-Cause'),
    mac: macOf(textOf(packet, 'Calling-Station-Id')),
    ip: ipOf(packet, 'Framed-IP-Address'),
    nas_ip: ipOf(packet, 'NAS-IP-Address') ?? address,
    vlan: vlanOf(packet),
  };
};
