import type { Attribute } from '@farlink/gateway/radius/packet.ts';
import { attribute } from '@farlink/gateway/radius/values.ts';
import type { EndReason } from '../end-reason.ts';
import type { Session } from '../session.ts';

const word = 2 ** 32;
/** NAS-Port-Type of RFC 2865: wireless. */
const wireless = 19;

/** Acct-Terminate-Cause of RFC 2866. The end of a quota is a request of the NAS. */
const causes: Readonly<Record<EndReason, number>> = { user: 1, lost: 2, idle: 4, session: 5, expired: 5, kick: 6, quota: 10 };

export interface Terminal {
  readonly acc: string;
  readonly sid: string;
  readonly mac: string;
  readonly ip?: string | undefined;
  readonly vlan?: number | undefined;
}

const isIpv4 = (ip: string) => /^\d+(\.\d+){3}$/.test(ip);

/** `02:ab:…` as RFC 3580 writes it. */
const stationOf = (mac: string) => mac.toUpperCase().replaceAll(':', '-');

/** Attributes that a login and its accounting have in common. */
export const terminalAttributes = ({ acc, sid, mac, ip, vlan }: Terminal): Attribute[] => [
  attribute('User-Name', acc),
  attribute('Acct-Session-Id', sid),
  attribute('Calling-Station-Id', stationOf(mac)),
  attribute('NAS-Port-Type', wireless),
  ...(ip !== undefined && isIpv4(ip) ? [attribute('Framed-IP-Address', ip)] : []),
  ...(vlan === undefined ? [] : [attribute('Tunnel-Private-Group-Id', String(vlan))]),
];

/** A session in accounting. */
export const sessionAttributes = (session: Session): Attribute[] => [
  ...terminalAttributes(session),
  ...(session.grant?.class ? [attribute('Class', session.grant.class)] : []),
];

/** Age and counters of a session, with 64 bits. Input is what the user sends. */
export const counterAttributes = ({ u, d }: Session, seconds: number): Attribute[] => [
  attribute('Acct-Session-Time', seconds),
  attribute('Acct-Input-Octets', u % word),
  attribute('Acct-Input-Gigawords', Math.floor(u / word)),
  attribute('Acct-Output-Octets', d % word),
  attribute('Acct-Output-Gigawords', Math.floor(d / word)),
];

export const causeAttribute = (why: EndReason): Attribute => attribute('Acct-Terminate-Cause', causes[why]);
