import { expect, it } from 'vitest';
import { plainPhone, sealedPhones } from './phone.ts';

it.each([
  ['13800000001', '13800000001'],
  ['+8613800000001', '13800000001'],
  ['+86-138-0000-0001', '13800000001'],
  ['008613800000001', '13800000001'],
  ['8613800000001', '13800000001'],
  ['+86138', '138'],
  ['861380', '861380'],
  ['+86-10-12345678', '+86-10-12345678'],
  ['010-12345678', '010-12345678'],
  ['+6591234567', '+6591234567'],
  ['138****0001', '138****0001'],
])('%s is stored and searched as %s', (typed, plain) => {
  expect(plainPhone(typed)).toBe(plain);
});

it('a number of mainland China can be sealed with its country code', () => {
  expect(sealedPhones('138 0000 0001')).toEqual(['13800000001', '+8613800000001']);
  expect(sealedPhones('+6591234567')).toEqual(['+6591234567']);
});
