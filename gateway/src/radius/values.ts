import { Buffer } from 'node:buffer';
import { type AttributeName, specOf } from './attributes.ts';
import type { Attribute } from './packet.ts';

const intBytes = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const ipBytes = (value: string) => {
  const octets = value.split('.').map(Number);
  if (octets.length !== 4 || octets.some((octet) => !Number.isInteger(octet) || octet < 0 || octet > 255))
    throw new RangeError('not an IPv4 address');
  return Buffer.from(octets);
};

/** Truncates between characters. */
const textBytes = (value: string, maxBytes: number) => {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length <= maxBytes) return bytes;
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/** Builds an attribute. The kind of the attribute decides how the value is encoded. */
export const attribute = (name: AttributeName, value: string | number | Buffer): Attribute => {
  const { type, vendor, kind } = specOf(name);
  const maxBytes = vendor === undefined ? 253 : 247;
  const encode = (): Buffer => {
    if (typeof value === 'number') return intBytes(value);
    if (typeof value !== 'string') return value;
    if (kind === 'ip') return ipBytes(value);
    return kind === 'tagged' ? Buffer.concat([Buffer.from([0]), textBytes(value, maxBytes - 1)]) : textBytes(value, maxBytes);
  };
  return { type, ...(vendor !== undefined && { vendor }), value: encode() };
};

interface Attributes {
  readonly attributes: readonly Attribute[];
}

export const isNamed = (name: AttributeName) => {
  const { type, vendor } = specOf(name);
  return (found: Attribute) => found.type === type && found.vendor === vendor;
};

export const octetsOf = ({ attributes }: Attributes, name: AttributeName): Buffer | undefined => attributes.find(isNamed(name))?.value;

export const allOf = ({ attributes }: Attributes, name: AttributeName): readonly Attribute[] => attributes.filter(isNamed(name));

/** PostgreSQL stores no NUL character, so a text with one is treated as missing. */
export const textOf = (packet: Attributes, name: AttributeName): string | undefined => {
  const value = octetsOf(packet, name);
  // RFC 2868: a first byte up to 0x1f is the tag.
  const bytes = value && specOf(name).kind === 'tagged' && (value[0] ?? 0x20) < 0x20 ? value.subarray(1) : value;
  return bytes === undefined || bytes.length === 0 || bytes.includes(0) ? undefined : bytes.toString('utf8');
};

export const intOf = (packet: Attributes, name: AttributeName): number | undefined => {
  const value = octetsOf(packet, name);
  return value?.length === 4 ? value.readUInt32BE(0) : undefined;
};

export const ipOf = (packet: Attributes, name: AttributeName): string | undefined => {
  const value = octetsOf(packet, name);
  return value?.length === 4 ? value.join('.') : undefined;
};
