import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { makeCertificate } from '@farlink/simulator/payment/certificate.ts';
import { expect, test } from 'vitest';
import { vectorCert, vectorSn } from '../../../../test/payment/openssl-vector.ts';
import { certSn, rootCertSn } from './cert-sn.ts';

const make = (type: 'rsa' | 'ec', serial: bigint) => {
  const { privateKey, publicKey } =
    type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issuer = 'C=CN, O=iTrusChina, OU=China Trust Network, CN=iTrusChina Class 2 Root CA - G3';
  return makeCertificate({ issuer, subject: issuer, serial, publicKey, signer: privateKey, from: 1_700_000_000, until: 2_000_000_000 });
};

/** Issuer and serial number of a real Alipay root, whose identifier is public. */
const real = make('rsa', 0x10c764e9d560384212d9c08fd10e373fdd0fb396n);
const realSn = '02941eef3187dddf3d3b83462e1dfcf6';

test("a certificate has the same serial number as in Alipay's own tools", () => {
  expect(certSn(new X509Certificate(real))).toBe(realSn);
  expect(certSn(new X509Certificate(vectorCert))).toBe(vectorSn);
});

test('the serial number of the root bundle joins those of its RSA certificates, in their order', () => {
  expect(rootCertSn(`${vectorCert}\n${make('ec', 7n)}\r\n${real}`)).toBe(`${vectorSn}_${realSn}`);
});

test('a bundle without an RSA certificate is a configuration error', () => {
  for (const wrong of ['', 'abc', make('ec', 7n), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']) {
    expect(() => rootCertSn(wrong)).toThrow(expect.objectContaining({ reason: 'config' }));
  }
});
