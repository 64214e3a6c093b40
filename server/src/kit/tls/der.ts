/** Writes DER (X.690), as far as certificates and requests need it. */
const lengthOf = (size: number): Buffer => {
  if (size < 0x80) return Buffer.from([size]);
  const hex = size.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

export const tagged = (tag: number, ...values: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(values);
  return Buffer.concat([Buffer.from([tag]), lengthOf(content.length), content]);
};

export const sequence = (...values: readonly Buffer[]) => tagged(0x30, ...values);
export const set = (...values: readonly Buffer[]) => tagged(0x31, ...values);
export const octets = (content: Buffer) => tagged(0x04, content);
export const utf8 = (text: string) => tagged(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: boolean) => tagged(0x01, Buffer.from([value ? 0xff : 0]));
/** A context-specific value that contains others: `[0] { … }`. */
export const context = (number: number, ...values: readonly Buffer[]) => tagged(0xa0 | number, ...values);
/** A context-specific value that replaces the tag of a simple one. */
export const implicit = (number: number, content: Buffer) => tagged(0x80 | number, content);

/** A non-negative whole number, from its big-endian bytes. */
export const integer = (bytes: Buffer | number) => {
  const raw = typeof bytes === 'number' ? Buffer.from([bytes]) : bytes;
  const first = raw.findIndex((byte) => byte !== 0);
  const trimmed = first < 0 ? Buffer.from([0]) : raw.subarray(first);
  // A leading one bit would make the number negative.
  return tagged(0x02, ...((trimmed[0] ?? 0) & 0x80 ? [Buffer.from([0]), trimmed] : [trimmed]));
};

export const bits = (content: Buffer, unused = 0) => tagged(0x03, Buffer.from([unused]), content);

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
};

/** An object identifier, from `1.2.840.113549`. */
export const oid = (dotted: string) => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};

/** RFC 5280: two-digit years until 2049, four digits after. */
export const time = (epochS: number) => {
  const digits = new Date(epochS * 1000).toISOString().replace(/\D/g, '').slice(0, 14);
  const isShort = Number(digits.slice(0, 4)) < 2050;
  return tagged(isShort ? 0x17 : 0x18, Buffer.from(`${isShort ? digits.slice(2) : digits}Z`, 'latin1'));
};
