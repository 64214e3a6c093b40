import { createDecipheriv } from 'node:crypto';
import { type Json, needText } from '../json.ts';
import { badConfig, unreadable } from '../payment-error.ts';

const tagBytes = 16;

/** Decrypts data encrypted with the APIv3 key: the resource of a callback, and certificates. */
export const decryptResource = (resource: Json, apiKey: string): string => {
  if (resource.algorithm !== 'AEAD_AES_256_GCM') throw unreadable('algorithm');
  const sealed = Buffer.from(needText(resource, 'ciphertext'), 'base64');
  const nonce = Buffer.from(needText(resource, 'nonce'));
  const aad = typeof resource.associated_data === 'string' ? resource.associated_data : '';
  try {
    const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiKey), nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.from(aad));
    decipher.setAuthTag(sealed.subarray(-tagBytes));
    return decipher.update(sealed.subarray(0, -tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw badConfig(['APIv3密钥与微信支付不一致', 'The APIv3 key does not match WeChat Pay']);
  }
};
