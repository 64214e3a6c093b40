import { type KeyObject, sign } from 'node:crypto';

/** Minimal X.509 certificates in DER, with only the fields that the provider protocols use. */
export interface CertificateContent {
  readonly issuer: string;
  readonly subject: string;
  readonly serial: bigint;
  readonly publicKey: KeyObject;
  /** RSA or EC. */
  readonly signer: KeyObject;
  /** Epoch seconds. */
  readonly from: number;
  readonly until: number;
}

const tlv = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  if (body.length < 0x80) return Buffer.concat([Buffer.from([tag, body.length]), body]);
  const hex = body.length.toString(16);
  const length = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([tag, 0x80 | length.length]), length, body]);
};

const sequence = (...content: Buffer[]) => tlv(0x30, ...content);
const bitString = (bytes: Buffer) => tlv(0x03, Buffer.from([0]), bytes);
const empty = tlv(0x05);

/** Positive numbers only; a leading zero byte clears the sign bit. */
const integer = (value: bigint): Buffer => {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex');
  return (bytes[0] ?? 0) & 0x80 ? tlv(0x02, Buffer.from([0]), bytes) : tlv(0x02, bytes);
};

const base128 = (value: number): number[] => {
  const bytes = [value & 0x7f];
  for (let rest = value >> 7; rest > 0; rest >>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
};

const oid = (dotted: string): Buffer => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tlv(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
};

/** Attributes of a name such as 'C=CN, O=…, CN=…', encoded in this order. */
const attributes: Readonly<Record<string, string>> = { C: '2.5.4.6', O: '2.5.4.10', OU: '2.5.4.11', CN: '2.5.4.3' };

const name = (text: string): Buffer =>
  sequence(
    ...text.split(', ').map((pair) => {
      const [type = '', value = ''] = pair.split('=');
      const id = attributes[type];
      if (!id) throw new Error(`unknown attribute ${type}`);
      return tlv(0x31, sequence(oid(id), tlv(type === 'C' ? 0x13 : 0x0c, Buffer.from(value))));
    }),
  );

/** Two-digit year until 2049, four digits from 2050 (RFC 5280 §4.1.2.5). */
const time = (epoch: number): Buffer => {
  const digits = `${new Date(epoch * 1000).toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  return digits < '2050' ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits));
};

const algorithmOf = (key: KeyObject): Buffer =>
  key.asymmetricKeyType === 'rsa' ? sequence(oid('1.2.840.113549.1.1.11'), empty) : sequence(oid('1.2.840.10045.4.3.2'));

export const makeCertificate = ({ issuer, subject, serial, publicKey, signer, from, until }: CertificateContent): string => {
  const content = sequence(
    tlv(0xa0, integer(2n)),
    integer(serial),
    algorithmOf(signer),
    name(issuer),
    sequence(time(from), time(until)),
    name(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const der = sequence(content, algorithmOf(signer), bitString(sign('sha256', content, signer)));
  const text = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${text.join('\n')}\n-----END CERTIFICATE-----\n`;
};
