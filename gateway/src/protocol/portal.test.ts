import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { claimedSn, openHandover, signHandover } from './portal.ts';

const key = randomBytes(32).toString('base64url');
const client = { sn: 'SN-1', mac: '02:00:00:00:00:01', ip: '10.0.0.9', t: 1_800_000_000 };

describe('a handover', () => {
  test('is opened with the key of the gateway', () => {
    const signed = signHandover(key, client);
    expect(claimedSn(signed)).toBe('SN-1');
    expect(openHandover(key, signed, client.t + 200)).toEqual(client);
  });

  test.each([
    ['another key', (signed: string) => openHandover(randomBytes(32).toString('base64url'), signed, client.t)],
    ['a later time', (signed: string) => openHandover(key, signed, client.t + 301)],
    [
      'a changed client',
      (signed: string) =>
        openHandover(
          key,
          signed.replace(/^./, (c) => (c === 'e' ? 'f' : 'e')),
          client.t,
        ),
    ],
    ['no signature', (signed: string) => openHandover(key, signed.split('.')[0] ?? '', client.t)],
  ])('is refused with %s', (_, open) => {
    expect(open(signHandover(key, client))).toBeUndefined();
  });

  test('with arbitrary content is refused', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (text, mark) => {
        claimedSn(`${text}.${mark}`);
        expect(openHandover(key, `${text}.${mark}`, client.t)).toBeUndefined();
      }),
    );
  });
});
