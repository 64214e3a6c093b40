import { generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { vectorCert, vectors } from '../../../test/payment/openssl-vector.ts';
import { checkPair, readCertificate, readPrivateKey, signText, verifyText } from './rsa.ts';

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const name = ['私钥', 'The key'] as const;

test('a signature is valid only for its text and key', () => {
  const signature = signText(privateKey, '订单 1');
  const other = readCertificate(vectorCert, name).publicKey;
  expect(verifyText(publicKey, '订单 1', signature)).toBe(true);
  expect(verifyText(publicKey, '订单 2', signature)).toBe(false);
  expect(verifyText(other, '订单 1', signature)).toBe(false);
  for (const broken of ['', `${signature}0`, 'not base64 at all', signature.slice(4), `${signature.slice(0, -8)}AAAAAA==`]) {
    expect(verifyText(publicKey, '订单 1', broken)).toBe(false);
  }
});

test('a signature of the openssl command is accepted', () => {
  const { text, signature } = vectors.answer;
  expect(verifyText(readCertificate(vectorCert, name).publicKey, text, signature)).toBe(true);
});

test('a private key is read as PEM and as the bare text of the key tool, in both formats', () => {
  for (const type of ['pkcs8', 'pkcs1'] as const) {
    const pem = privateKey.export({ type, format: 'pem' }).toString();
    const bare = privateKey.export({ type, format: 'der' }).toString('base64');
    for (const text of [pem, bare]) expect(readPrivateKey(text, name).equals(privateKey)).toBe(true);
  }
});

test('an invalid RSA key or certificate is a configuration error', () => {
  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  for (const wrong of ['', 'abc', vectorCert, curve]) {
    expect(() => readPrivateKey(wrong, name)).toThrow(
      expect.objectContaining({ reason: 'config', text: ['私钥不是有效的RSA私钥', 'The key is not a valid RSA private key'] }),
    );
  }
  expect(() => readCertificate('abc', name)).toThrow(expect.objectContaining({ reason: 'config' }));
  expect(() => checkPair(privateKey, readCertificate(vectorCert, name))).toThrow(expect.objectContaining({ reason: 'config' }));
});
