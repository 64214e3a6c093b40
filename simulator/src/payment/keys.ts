import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { makeCertificate } from './certificate.ts';

/** Plain text, so the demo can keep the keys over a restart. */
export interface StandInKeys {
  readonly our_key: string;
  readonly their_key: string;
  readonly root_cert: string;
  readonly app_cert: string;
  readonly alipay_cert: string;
  readonly merchant_cert: string;
  readonly platform_cert: string;
  readonly api_key: string;
}

export const merchant = {
  alipay: '2088000000000001',
  alipay_app: '2021000000000001',
  wechat: '1900000001',
  wechat_app: 'wx0000000000000001',
};

const generate = promisify(generateKeyPair);
const tenYears = 10 * 365 * 86_400;
const serial = () => BigInt(`0x${randomBytes(16).toString('hex')}`) | 1n;

/** One key pair for the merchant and one for both providers; the certificates separate the roles. */
export const makeStandInKeys = async (now: number): Promise<StandInKeys> => {
  const [ours, theirs, curve] = await Promise.all([
    generate('rsa', { modulusLength: 2048 }),
    generate('rsa', { modulusLength: 2048 }),
    generate('ec', { namedCurve: 'P-256' }),
  ]);
  const root = 'C=CN, O=Farlink, OU=Stand-in, CN=Stand-in Root R1';
  const certificate = (subject: string, publicKey: KeyObject, signer = theirs.privateKey) =>
    makeCertificate({ issuer: root, subject, serial: serial(), publicKey, signer, from: now - 86_400, until: now + tenYears });
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
  return {
    our_key: pem(ours.privateKey),
    their_key: pem(theirs.privateKey),
    // Contains a non-RSA root, as the bundle of Alipay does.
    root_cert: certificate(root, theirs.publicKey) + certificate(root, curve.publicKey, curve.privateKey),
    app_cert: certificate('C=CN, O=Farlink, CN=Application', ours.publicKey),
    alipay_cert: certificate('C=CN, O=Farlink, CN=Alipay stand-in', theirs.publicKey),
    merchant_cert: certificate('C=CN, O=Farlink, CN=Merchant', ours.publicKey),
    platform_cert: certificate('C=CN, O=Farlink, CN=WeChat Pay stand-in', theirs.publicKey),
    api_key: randomBytes(16).toString('hex'),
  };
};

export const theirKey = (keys: StandInKeys): KeyObject => createPrivateKey(keys.their_key);
export const ourPublicKey = (keys: StandInKeys): KeyObject => createPublicKey(keys.our_key);
