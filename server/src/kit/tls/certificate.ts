import { createHash, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto';
import { isIP } from 'node:net';
import { bits, boolean, context, implicit, integer, octets, oid, sequence, set, tagged, time, utf8 } from './der.ts';

export const pemOf = (label: string, der: Buffer): string =>
  `-----BEGIN ${label}-----\n${der.toString('base64').replace(/(.{64})(?!$)/g, '$1\n')}\n-----END ${label}-----\n`;

const oids = {
  commonName: '2.5.4.3',
  subjectKeyId: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyId: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
  extensionRequest: '1.2.840.113549.1.9.14',
  ecdsaSha256: '1.2.840.10045.4.3.2',
  rsaSha256: '1.2.840.113549.1.1.11',
} as const;

const nameOf = (commonName: string) => sequence(set(sequence(oid(oids.commonName), utf8(commonName))));

const spkiOf = (key: KeyObject): Buffer => (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' });

const keyIdOf = (key: KeyObject) => createHash('sha1').update(spkiOf(key)).digest();

const algorithmOf = ({ asymmetricKeyType }: KeyObject) =>
  asymmetricKeyType === 'rsa' ? sequence(oid(oids.rsaSha256), tagged(0x05)) : sequence(oid(oids.ecdsaSha256));

/** The signed part, its algorithm and its signature, as in certificates and requests. */
const signed = (part: Buffer, key: KeyObject) => sequence(part, algorithmOf(key), bits(sign('sha256', part, key)));

const extension = (id: string, content: Buffer, isCritical = false) =>
  sequence(oid(id), ...(isCritical ? [boolean(true)] : []), octets(content));

const addressBytes = (address: string) => Buffer.from(address.split('.').map(Number));

const alternativeNames = (names: readonly string[]) =>
  extension(
    oids.subjectAltName,
    sequence(...names.map((name) => (isIP(name) === 4 ? implicit(7, addressBytes(name)) : implicit(2, Buffer.from(name, 'latin1'))))),
  );

export interface CertificateOrder {
  readonly commonName: string;
  /** DNS names and IPv4 addresses. */
  readonly names?: readonly string[];
  /** Public or private key of the certificate. */
  readonly key: KeyObject;
  /** Without it, the certificate is self-signed. */
  readonly issuer?: { readonly commonName: string; readonly key: KeyObject };
  readonly isAuthority?: boolean;
  readonly beginAt: number;
  readonly endAt: number;
}

/** Key usage bits: certificate signing for an authority, digital signature for a server. */
const usageOf = (isAuthority: boolean) => (isAuthority ? bits(Buffer.from([0x06]), 1) : bits(Buffer.from([0x80]), 7));

/** Makes a certificate (X.509 version 3) in DER. */
export const makeCertificate = ({ isAuthority = false, names = [], ...order }: CertificateOrder): Buffer => {
  const issuer = order.issuer ?? order;
  const extensions = [
    extension(oids.basicConstraints, sequence(...(isAuthority ? [boolean(true)] : [])), true),
    extension(oids.keyUsage, usageOf(isAuthority), true),
    ...(isAuthority ? [] : [extension(oids.extendedKeyUsage, sequence(oid(oids.serverAuth)))]),
    ...(names.length > 0 ? [alternativeNames(names)] : []),
    extension(oids.subjectKeyId, octets(keyIdOf(order.key))),
    extension(oids.authorityKeyId, sequence(implicit(0, keyIdOf(issuer.key)))),
  ];
  const part = sequence(
    context(0, integer(2)),
    integer(Buffer.concat([Buffer.from([0x01]), randomBytes(15)])),
    algorithmOf(issuer.key),
    nameOf(issuer.commonName),
    sequence(time(order.beginAt), time(order.endAt)),
    nameOf(order.commonName),
    spkiOf(order.key),
    context(3, sequence(...extensions)),
  );
  return signed(part, issuer.key);
};

/** A certificate request (PKCS #10) in DER for DNS names. */
export const makeRequest = (key: KeyObject, names: readonly string[]): Buffer => {
  const extensions = sequence(oid(oids.extensionRequest), set(sequence(alternativeNames(names))));
  return signed(sequence(integer(0), sequence(), spkiOf(key), context(0, extensions)), key);
};
