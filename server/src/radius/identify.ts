import { codes } from '@farlink/gateway/radius/attributes.ts';
import { requestSignature } from '@farlink/gateway/radius/authenticator.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { ipOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import type { NasCounters } from './nas-counters.ts';
import type { Nas, Registry } from './registry.ts';

/** The client of a request, proven by its secret. `isSigned` says whether an Access-Request had a Message-Authenticator. */
export interface Identified {
  readonly nas: Nas;
  readonly secret: string;
  readonly isSigned: boolean;
}

/** RFC 6614: inside TLS the secret is this constant. */
export const radsecSecret = 'radsec';

/** A gateway may use both transports: boxes behind it may speak only UDP. */
const usesUdp = (nas: Nas) => nas.transport === 'udp' || nas.device_id !== null;

/**
 * An Access-Request without Message-Authenticator proves nothing. It is accepted only from a NAS with the exception, from its address if it
 * has one, and never with Proxy-State, which BlastRADIUS (CVE-2024-3596) needs.
 */
const legacyClient = (clients: readonly Nas[], packet: Packet, address: string): Nas | undefined =>
  octetsOf(packet, 'Proxy-State') ? undefined : clients.find((nas) => !nas.require_ma && (nas.addr === null || nas.addr === address));

/** Finds the client of a UDP request. Undefined: no reply, and the cause is counted. */
export const identify = (
  registry: Registry,
  counters: NasCounters,
  { packet, bytes, address }: { readonly packet: Packet; readonly bytes: Buffer; readonly address: string },
): Identified | undefined => {
  const nasIp = ipOf(packet, 'NAS-IP-Address');
  const clients = registry.candidates(textOf(packet, 'NAS-Identifier'), [address, ...(nasIp ? [nasIp] : [])]).filter(usesUdp);
  const [first] = clients;
  if (!first) {
    counters.refuse('unknown_nas');
    return undefined;
  }
  const results = clients.map((nas) => ({ nas, signature: requestSignature(packet, bytes, nas.secret) }));
  const proven = results.find(({ signature }) => signature === 'valid');
  if (proven) return { nas: proven.nas, secret: proven.nas.secret, isSigned: true };
  const isBare = packet.code === codes.accessRequest && results.every(({ signature }) => signature === 'missing');
  const legacy = isBare ? legacyClient(clients, packet, address) : undefined;
  if (legacy) return { nas: legacy, secret: legacy.secret, isSigned: false };
  if (isBare) counters.unsigned(first.id);
  counters.count(first.id, isBare ? 'drops' : 'wrong_secret');
  return undefined;
};

/** The client of a RadSec request is that of the connection. TLS protects the packet, so a missing Message-Authenticator is accepted. */
export const identifyRadsec = (nas: Nas, packet: Packet, bytes: Buffer, counters: NasCounters): Identified | undefined => {
  const signature = requestSignature(packet, bytes, radsecSecret);
  if (signature !== 'wrong') return { nas, secret: radsecSecret, isSigned: signature === 'valid' };
  counters.count(nas.id, 'wrong_secret');
  return undefined;
};
