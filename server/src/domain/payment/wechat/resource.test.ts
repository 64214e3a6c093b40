import { expect, test } from 'vitest';
import { decryptResource } from './resource.ts';

const apiKey = '0123456789abcdef0123456789ABCDEF';

/** Encrypted with another library. */
const resource = {
  algorithm: 'AEAD_AES_256_GCM',
  nonce: 'abcdefghijkl',
  associated_data: 'transaction',
  ciphertext: 'YOZv+xMaGw+dsefTb+guj0pLD5SEs1dnXNItgcb5bkXqFoRiqIxQLtO2ux52aS+Ji4ycHeAEnsT5zTnIvZcl860=',
};

test('a resource is decrypted with the APIv3 key', () => {
  expect(decryptResource(resource, apiKey)).toBe('{"trade_state":"SUCCESS","说明":"支付成功"}');
});

test('another key, and any changed part, is refused', () => {
  const refused = expect.objectContaining({ reason: 'config' });
  expect(() => decryptResource(resource, apiKey.toLowerCase())).toThrow(refused);
  expect(() => decryptResource({ ...resource, nonce: 'abcdefghijkm' }, apiKey)).toThrow(refused);
  expect(() => decryptResource({ ...resource, associated_data: '' }, apiKey)).toThrow(refused);
  expect(() => decryptResource({ ...resource, ciphertext: resource.ciphertext.replace('Y', 'Z') }, apiKey)).toThrow(refused);
  expect(() => decryptResource({ ...resource, ciphertext: 'AAAA' }, apiKey)).toThrow(refused);
  expect(() => decryptResource({ ...resource, algorithm: 'none' }, apiKey)).toThrow(expect.objectContaining({ reason: 'provider' }));
});
