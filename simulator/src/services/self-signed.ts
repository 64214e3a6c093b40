import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const tlv = (tag: number, ...values: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(values);
  const n = body.length;
  const length = n < 128 ? [n] : n < 256 ? [0x81, n] : [0x82, n >> 8, n & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};

const sequence = (...values: readonly Buffer[]) => tlv(0x30, ...values);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const time = (text: string) => tlv(0x17, Buffer.from(text));

/** ecdsa-with-SHA256 and commonName. */
const ecdsa = '2a8648ce3d040302';
const commonName = '550403';

/** Creates a self-signed certificate as such devices do. X.509 is encoded by hand: node:crypto can only read certificates. */
export const selfSigned = (name: string): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const subject = sequence(tlv(0x31, sequence(oid(commonName), tlv(0x0c, Buffer.from(name)))));
  const algorithm = sequence(oid(ecdsa));
  const serial = tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)]));
  const validity = sequence(time('200101000000Z'), time('491231235959Z'));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const body = sequence(serial, algorithm, subject, validity, subject, spki);
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const der = sequence(body, algorithm, signature).toString('base64').replace(/.{64}/g, '$&\n');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${der}\n-----END CERTIFICATE-----\n`,
  };
};
