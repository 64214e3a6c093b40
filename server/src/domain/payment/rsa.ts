import { createPrivateKey, type KeyObject, sign, verify, X509Certificate } from 'node:crypto';
import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { badConfig } from './payment-error.ts';

/** SHA256withRSA: RSA2 at Alipay, SHA256-RSA2048 at WeChat Pay. */
export const signText = (key: KeyObject, text: string): string => sign('sha256', Buffer.from(text), key).toString('base64');

/** Requires canonical base64, so each signature has only one valid spelling. */
export const verifyText = (key: KeyObject, text: string, signature: string): boolean => {
  const bytes = Buffer.from(signature, 'base64');
  return bytes.toString('base64') === signature && verify('sha256', Buffer.from(text), key, bytes);
};

const firstOf = <T>(attempts: readonly (() => T)[]): T | undefined => {
  for (const attempt of attempts) {
    try {
      return attempt();
    } catch {
      // try the next format
    }
  }
  return undefined;
};

/** PEM, or the bare base64 that Alipay's key tool writes, as PKCS#8 or PKCS#1. */
export const readPrivateKey = (text: string, name: Text): KeyObject => {
  const der = Buffer.from(text, 'base64');
  const key = firstOf([
    () => createPrivateKey(text),
    () => createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }),
    () => createPrivateKey({ key: der, format: 'der', type: 'pkcs1' }),
  ]);
  if (key?.asymmetricKeyType !== 'rsa') throw badConfig(fill(['{0}不是有效的RSA私钥', '{0} is not a valid RSA private key'], name));
  return key;
};

/** First certificate of the file; the others are its issuers. */
export const readCertificate = (text: string, name: Text): X509Certificate => {
  const cert = firstOf([() => new X509Certificate(text)]);
  // Node cannot read the key of an SM2 certificate.
  if (!cert || firstOf([() => cert.publicKey.asymmetricKeyType]) !== 'rsa')
    throw badConfig(fill(['{0}不是有效的RSA证书', '{0} is not a valid RSA certificate'], name));
  return cert;
};

export const checkPair = (key: KeyObject, cert: X509Certificate): void => {
  if (!cert.checkPrivateKey(key)) throw badConfig(['私钥与证书不匹配', 'The private key does not match the certificate']);
};
