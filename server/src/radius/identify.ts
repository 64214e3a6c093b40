import { codes } from '@farlink/gateway/radius/attributes.ts';
import { requestSignature } from '@farlink/gateway/radius/authenticator.ts';
import type { Packet } from '@farlink/gateway/radius/packet.ts';
import { ipOf, octetsOf, textOf } from '@farlink/gateway/radius/values.ts';
import type { NasCounters } from './nas-counters.ts';
import type { Nas, Registry } from './registry.ts';

/**
 * The client of a request, proven by its secret or by that of the trusted proxy in front. `isSigned` says whether an Access-Request had a
 * Message-Authenticator.
 */
export interface Identified {
  readonly nas: Nas;
  readonly proxyId: number | null;
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

/** RFC 5580: the first character of Operator-Name is the kind of the name. */
const operatorOf = (packet: Packet) => textOf(packet, 'Operator-Name')?.slice(1);

/** The sender of a request, or the NAS behind it if it is a trusted proxy. */
const senderOf = (registry: Registry, sender: Nas, packet: Packet) => {
  const identifier = textOf(packet, 'NAS-Identifier');
  const nas = registry.behind(sender, { operator: operatorOf(packet), identifier, address: ipOf(packet, 'NAS-IP-Address') });
  return nas ? { nas, proxyId: sender.id } : { nas: sender, proxyId: null };
};

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
  if (proven) return { ...senderOf(registry, proven.nas, packet), secret: proven.nas.secret, isSigned: true };
  const isBare = packet.code === codes.accessRequest && results.every(({ signature }) => signature === 'missing');
  const legacy = isBare ? legacyClient(clients, packet, address) : undefined;
  if (legacy) return { nas: legacy, proxyId: null, secret: legacy.secret, isSigned: false };
  if (isBare) counters.unsigned(first.id);
  counters.count(first.id, isBare ? 'drops' : 'wrong_secret');
  return undefined;
};

/** The client of a RadSec request is that of the connection. TLS protects the packet, so a missing Message-Authenticator is accepted. */
export const identifyRadsec = (
  registry: Registry,
  counters: NasCounters,
  { nas, packet, bytes }: { readonly nas: Nas; readonly packet: Packet; readonly bytes: Buffer },
): Identified | undefined => {
  const signature = requestSignature(packet, bytes, radsecSecret);
  if (signature !== 'wrong') return { ...senderOf(registry, nas, packet), secret: radsecSecret, isSigned: signature === 'valid' };
  counters.count(nas.id, 'wrong_secret');
  return undefined;
};
