import { Buffer } from 'node:buffer';
import { type AttributeName, specOf } from './attributes.ts';
import type { Attribute } from './packet.ts';

const intBytes = (value: number) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

const ipBytes = (value: string) => {
  const parts = value.split('.').map(Number);
  if (parts.length !== 4 || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255))
    throw new RangeError('no IPv4 address');
  return Buffer.from(parts);
};

/** The first 253 bytes, without half a character at the end. */
const textBytes = (value: string, most: number) => {
  const bytes = Buffer.from(value, 'utf8');
  if (bytes.length <= most) return bytes;
  let end = most;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.subarray(0, end);
};

/** Builds an attribute. The kind of the attribute decides what a value is. */
export const attribute = (name: AttributeName, value: string | number | Buffer): Attribute => {
  const { type, vendor, kind } = specOf(name);
  const most = vendor === undefined ? 253 : 247;
  const encode = (): Buffer => {
    if (typeof value === 'number') return intBytes(value);
    if (typeof value !== 'string') return value;
    if (kind === 'ip') return ipBytes(value);
    return kind === 'tagged' ? Buffer.concat([Buffer.from([0]), textBytes(value, most - 1)]) : textBytes(value, most);
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
