import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../../kit/clock.ts';
import { needText, objectOf, objectsOf, readObject } from '../json.ts';
import { unreadable } from '../payment-error.ts';
import { readCertificate } from '../rsa.ts';
import type { Reply } from '../send.ts';
import { decryptResource } from './resource.ts';
import { type KeyOf, verifyMessage } from './sign.ts';

/** WeChat Pay publishes a new certificate one day ahead, and requires a check every twelve hours. */
const maxAgeS = 12 * 3600;
/** Minimum interval, so forged serial numbers cannot cause constant downloads. */
const minAgeS = 60;

type Keys = ReadonlyMap<string, KeyObject>;

/** The list is trusted because the APIv3 key decrypts it; its signature is then checked with its own certificates. */
const readCertificates = async (reply: Reply, apiKey: string, now: number): Promise<Keys> => {
  const keys = new Map<string, KeyObject>();
  for (const entry of objectsOf(readObject(reply.body), 'data')) {
    const cert = readCertificate(decryptResource(objectOf(entry, 'encrypt_certificate'), apiKey), [
      '微信支付平台证书',
      'The WeChat Pay certificate',
    ]);
    if (cert.serialNumber !== needText(entry, 'serial_no')) throw unreadable('serial_no');
    if (cert.validToDate.getTime() > now * 1000) keys.set(cert.serialNumber, cert.publicKey);
  }
  await verifyMessage(reply.header, reply.body, (serial) => keys.get(serial), now);
  return keys;
};

export const platformKeys = (download: () => Promise<Reply>, apiKey: string, clock: Clock): KeyOf => {
  let keys: Keys = new Map();
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let fetching: Promise<void> | undefined;

  const refresh = async () => {
    const reply = await download();
    keys = await readCertificates(reply, apiKey, clock.now());
    fetchedAt = clock.now();
  };

  return async (serial) => {
    const age = clock.now() - fetchedAt;
    if (age > maxAgeS || (age > minAgeS && !keys.has(serial))) {
      fetching ??= refresh().finally(() => {
        fetching = undefined;
      });
      await fetching;
    }
    return keys.get(serial);
  };
};
