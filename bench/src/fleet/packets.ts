/** The part of MQTT 5 that a gateway of the bench needs. A complete codec would cost the clients more time than the servers. */

export const kinds = { connack: 2, publish: 3, puback: 4, suback: 9, disconnect: 14 } as const;

const short = (n: number) => Buffer.from([n >> 8, n & 255]);
const text = (value: string) => {
  const bytes = Buffer.from(value);
  return Buffer.concat([short(bytes.length), bytes]);
};

const packet = (first: number, ...chunks: readonly Uint8Array[]) => {
  let length = chunks.reduce((n, chunk) => n + chunk.length, 0);
  const head = [first];
  do {
    head.push((length % 128) + (length > 127 ? 128 : 0));
    length = Math.floor(length / 128);
  } while (length > 0);
  return Buffer.concat([Buffer.from(head), ...chunks]);
};

const none = Buffer.from([0]);

interface Connect {
  readonly clientId: string;
  readonly username: string;
  readonly password: string;
  readonly keepAliveS: number;
  readonly receiveMaximum: number;
  readonly will?: { readonly topic: string; readonly body: string; readonly delayS: number };
}

const four = (n: number) => Buffer.concat([short(Math.floor(n / 65_536)), short(n % 65_536)]);

export const connectPacket = ({ clientId, username, password, keepAliveS, receiveMaximum, will }: Connect) => {
  const login = username ? [text(username), text(password)] : [];
  const flags = 2 + (will ? 0x0c : 0) + (username ? 0xc0 : 0);
  const session = will ? Buffer.concat([Buffer.from([0x11]), four(will.delayS)]) : Buffer.alloc(0);
  const properties = Buffer.concat([session, Buffer.from([0x21]), short(receiveMaximum)]);
  const last = will ? [Buffer.from([5, 0x18]), four(will.delayS), text(will.topic), text(will.body)] : [];
  return packet(
    0x10,
    text('MQTT'),
    Buffer.from([5, flags]),
    short(keepAliveS),
    Buffer.from([properties.length]),
    properties,
    text(clientId),
    ...last,
    ...login,
  );
};

export const subscribePacket = (id: number, filter: string) => packet(0x82, short(id), none, text(filter), Buffer.from([1]));

/** QoS 1. With an alias the topic is sent once per connection. */
export const publishPacket = (id: number, topic: string, body: string, alias = 0) =>
  packet(0x32, text(topic), short(id), alias > 0 ? Buffer.from([3, 0x23, 0, alias]) : none, Buffer.from(body));

export const pubackPacket = (id: number) => Buffer.from([0x40, 2, id >> 8, id & 255]);

export const pingPacket = Buffer.from([0xc0, 0]);

export interface Frame {
  readonly kind: number;
  readonly flags: number;
  readonly body: Buffer;
}

/** Calls `take` for each complete packet and returns a copy of the rest. */
export const readFrames = (bytes: Buffer, onFrame: (frame: Frame) => void): Buffer | undefined => {
  let at = 0;
  for (;;) {
    let length = 0;
    let scale = 1;
    let next = at + 1;
    for (;;) {
      const byte = bytes[next++];
      if (byte === undefined) return at < bytes.length ? Buffer.from(bytes.subarray(at)) : undefined;
      length += (byte & 127) * scale;
      scale *= 128;
      if (byte < 128) break;
    }
    if (next + length > bytes.length) return Buffer.from(bytes.subarray(at));
    const first = bytes[at] ?? 0;
    onFrame({ kind: first >> 4, flags: first & 15, body: bytes.subarray(next, next + length) });
    at = next + length;
  }
};

/** Bytes of each property of a CONNACK; strings begin with their length. */
const sizes: Readonly<Record<number, number>> = { 17: 4, 39: 4, 19: 2, 33: 2, 34: 2, 36: 1, 37: 1, 40: 1, 41: 1, 42: 1 };

export interface Connack {
  readonly reason: number;
  readonly keepAliveS: number | undefined;
  readonly aliases: number;
}

export const readConnack = (body: Buffer): Connack => {
  const reason = body[1] ?? 255;
  let keepAliveS: number | undefined;
  let aliases = 0;
  const end = Math.min(body.length, 3 + (body[2] ?? 0));
  for (let at = 3; at + 2 < end; ) {
    const id = body[at] ?? 0;
    if (id === 0x13) keepAliveS = body.readUInt16BE(at + 1);
    if (id === 0x22) aliases = body.readUInt16BE(at + 1);
    const size = sizes[id];
    at += 1 + (size ?? 2 + body.readUInt16BE(at + 1));
  }
  return { reason, keepAliveS, aliases };
};

/** The id of a QoS 1 message; undefined for QoS 0. */
export const publishId = ({ flags, body }: Frame): number | undefined =>
  (flags & 6) === 2 ? body.readUInt16BE(2 + body.readUInt16BE(0)) : undefined;
