import { idempotencyKey } from '@farlink/contract/kit/idempotency.ts';
import { limits } from '@farlink/contract/limits.ts';
import { expect, test } from 'vitest';
import { clearRetryKey, newKey, retryKey } from './idempotency.ts';

test('makes keys that the server accepts, each different', () => {
  const keys = Array.from({ length: 100 }, newKey);
  expect(new Set(keys).size).toBe(100);
  for (const key of keys) expect(key).toMatch(idempotencyKey);
});

test('keeps the key of a request until it is answered', () => {
  const key = retryKey('POST /a {}', 0);
  expect(retryKey('POST /a {}', 1000)).toBe(key);
  expect(retryKey('POST /a {"x":1}', 1000)).not.toBe(key);
  clearRetryKey('POST /a {}');
  expect(retryKey('POST /a {}', 2000)).not.toBe(key);
});

test('makes a new key when the lost attempt is old', () => {
  const key = retryKey('POST /b {}', 0);
  expect(retryKey('POST /b {}', limits.retryMs)).not.toBe(key);
});
