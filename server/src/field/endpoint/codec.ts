import { generate, type IConnectPacket, type Packet, type Parser, parser } from 'mqtt-packet';

/** Supported MQTT versions: 3.1.1 (level 4) and 5. */
export type Version = 4 | 5;

/** Whole packets need no state between them, so all connections of a version share one parser. */
const reader = (version: Version | undefined) => {
  let found: Packet | undefined;
  let broken = false;
  let shared: Parser | undefined;
  const create = () => {
    const made = parser(version === undefined ? undefined : { protocolVersion: version });
    made.on('packet', (packet) => {
      found = packet;
    });
    made.on('error', () => {
      broken = true;
    });
    return made;
  };
  return (frame: Uint8Array): Packet | undefined => {
    found = undefined;
    broken = false;
    shared ??= create();
    let remaining = 0;
    try {
      remaining = shared.parse(Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength));
    } catch {
      broken = true;
    }
    // After a CONNECT the parser would keep the protocol version of that gateway.
    if (broken || remaining > 0 || version === undefined) shared = undefined;
    return broken ? undefined : found;
  };
};

const readers = { 4: reader(4), 5: reader(5), first: reader(undefined) };

export const readConnect = (frame: Uint8Array): IConnectPacket | undefined => {
  const packet = readers.first(frame);
  return packet?.cmd === 'connect' ? packet : undefined;
};

/** Returns undefined for a malformed packet. */
export const readPacket = (version: Version, frame: Uint8Array): Packet | undefined => readers[version](frame);

/** MQTT requires a packet id and at least one filter here. The parser checks neither, and such a packet has no valid reply. */
export const isProtocolError = (packet: Packet): boolean => {
  if (packet.cmd === 'publish') return packet.qos > 0 && !packet.messageId;
  if (packet.cmd === 'subscribe') return !packet.messageId || packet.subscriptions.length === 0;
  return packet.cmd === 'unsubscribe' && (!packet.messageId || packet.unsubscriptions.length === 0);
};

export const writePacket = (version: Version, packet: Packet): Buffer => generate(packet, { protocolVersion: version });

/** Fast path for the most frequent packet. MQTT 3.1.1 has no reason codes, so a refusal looks like a normal PUBACK. */
export const writePuback = (version: Version, id: number, reason = 0, why = ''): Buffer =>
  version === 5 && reason > 0
    ? writePacket(5, { cmd: 'puback', messageId: id, reasonCode: reason, properties: { reasonString: why.slice(0, 200) } })
    : Buffer.from([0x40, 2, id >> 8, id & 0xff]);

export const pingResponse = Buffer.from([0xd0, 0]);

export const reasons = {
  ok: 0x00,
  willToo: 0x04,
  unspecified: 0x80,
  protocolError: 0x82,
  version: 0x84,
  clientId: 0x85,
  badKey: 0x86,
  notAuthorized: 0x87,
  unavailable: 0x88,
  busy: 0x89,
  banned: 0x8a,
  shuttingDown: 0x8b,
  keepAlive: 0x8d,
  takenOver: 0x8e,
  topicName: 0x90,
  receiveMaximum: 0x93,
  topicAlias: 0x94,
  tooLarge: 0x95,
  quota: 0x97,
  administrative: 0x98,
  payloadFormat: 0x99,
  qos: 0x9b,
} as const;

const returnCodes: Readonly<Record<number, number>> = {
  [reasons.version]: 1,
  [reasons.clientId]: 2,
  [reasons.unavailable]: 3,
  [reasons.busy]: 3,
  [reasons.badKey]: 4,
};

/** MQTT 3.1.1 return code of a refused CONNECT. */
export const returnCodeOf = (reason: number): number => returnCodes[reason] ?? 5;
