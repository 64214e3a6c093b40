import { expect, test } from 'vitest';
import { addressOf } from './address.ts';

test('a host name is accepted or refused by the address that it resolves to', async () => {
  await expect(addressOf('localhost', false)).rejects.toThrow('private: localhost');
  expect(await addressOf('localhost', true)).toMatch(/^(127\.0\.0\.1|::1)$/);
  expect(await addressOf('8.8.8.8', false)).toBe('8.8.8.8');
  await expect(addressOf('nowhere.invalid', true)).rejects.toThrow('lookup: nowhere.invalid');
});
