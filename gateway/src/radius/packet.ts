import { Buffer } from 'node:buffer';

/** RFC 2865: a packet has at least a header and at most 4,096 bytes. */
export const headerBytes = 20;
export const maxPacketBytes = 4096;
const vendorSpecific = 26;

export interface Attribute {
  readonly type: number;
  /** Vendor of a vendor-specific attribute; `type` and `value` are those of the sub-attribute. */
  readonly vendor?: number;
  readonly value: Buffer;
}

export interface Packet {
  readonly code: number;
  readonly id: number;
  readonly authenticator: Buffer;
  readonly attributes: readonly Attribute[];
}

/** Sub-attributes of a vendor-specific attribute, or undefined if the vendor uses another layout. */
const vendorAttributes = (value: Buffer): Attribute[] | undefined => {
  if (value.length < 7) return undefined;
  const vendor = value.readUInt32BE(0);
  const found: Attribute[] = [];
  for (let at = 4; at < value.length; ) {
    const type = value[at];
    const length = value[at + 1];
    if (type === undefined || length === undefined || length < 2 || at + length > value.length) return undefined;
    found.push({ vendor, type, value: value.subarray(at + 2, at + length) });
    at += length;
  }
  return found;
};

/** The length of a packet from its header, or undefined for a length that is not allowed. */
export const lengthOf = (bytes: Buffer): number | undefined => {
  if (bytes.length < 4) return undefined;
  const length = bytes.readUInt16BE(2);
  return length >= headerBytes && length <= maxPacketBytes ? length : undefined;
};

/** A packet from its bytes, or undefined for malformed bytes. Bytes after the length are padding. */
export const decodePacket = (bytes: Buffer): Packet | undefined => {
  const length = lengthOf(bytes);
  if (length === undefined || bytes.length < length) return undefined;
  const attributes: Attribute[] = [];
  for (let at = headerBytes; at < length; ) {
    const type = bytes[at];
    const size = bytes[at + 1];
    if (type === undefined || size === undefined || size < 2 || at + size > length) return undefined;
    const value = bytes.subarray(at + 2, at + size);
    attributes.push(...((type === vendorSpecific && vendorAttributes(value)) || [{ type, value }]));
    at += size;
  }
  return { code: bytes.readUInt8(0), id: bytes.readUInt8(1), authenticator: bytes.subarray(4, headerBytes), attributes };
};

const encodeAttribute = ({ type, vendor, value }: Attribute): Buffer => {
  const maxBytes = vendor === undefined ? 253 : 247;
  if (value.length > maxBytes) throw new RangeError(`attribute ${type} is longer than ${maxBytes} bytes`);
  if (vendor === undefined) return Buffer.concat([Buffer.from([type, value.length + 2]), value]);
  const head = Buffer.alloc(8);
  head.set([vendorSpecific, value.length + 8], 0);
  head.writeUInt32BE(vendor, 2);
  head.set([type, value.length + 2], 6);
  return Buffer.concat([head, value]);
};

export const encodePacket = ({ code, id, authenticator, attributes }: Packet): Buffer => {
  const head = Buffer.alloc(headerBytes);
  const bytes = Buffer.concat([head, ...attributes.map(encodeAttribute)]);
  if (bytes.length > maxPacketBytes) throw new RangeError(`packet is longer than ${maxPacketBytes} bytes`);
  bytes.set([code, id], 0);
  bytes.writeUInt16BE(bytes.length, 2);
  authenticator.copy(bytes, 4, 0, 16);
  return bytes;
};
