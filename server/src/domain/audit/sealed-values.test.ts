import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressesOf, blindIndex, hmac, indexKeyOf, openValues, sealValues } from './sealed-values.ts';

const bytes = (max: number) => fc.uint8Array({ maxLength: max }).map((one) => Buffer.from(one));

describe('sealed values', () => {
  const key = createSecretKey(randomBytes(32));
  const content = { salt: '00', values: { title: '出海 😀', content: '' } };

  it('open with their key only', () => {
    expect(openValues(key, sealValues(key, content))).toEqual(content);
    expect(() => openValues(createSecretKey(randomBytes(32)), sealValues(key, content))).toThrow();
  });

  it('are different each time, and not readable', () => {
    expect(sealValues(key, content)).not.toEqual(sealValues(key, content));
    expect(sealValues(key, content).toString('utf8')).not.toContain('title');
  });

  it('a changed byte is detected', () => {
    const sealed = sealValues(key, content);
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(i) ^ 1, i);
      expect(() => openValues(key, changed)).toThrow();
    }
    for (const length of [0, 11, 27, sealed.length - 1]) expect(() => openValues(key, sealed.subarray(0, length))).toThrow();
  });
});

describe('blind indexes', () => {
  const indexKey = indexKeyOf(randomBytes(32));

  it('use HMAC-SHA-256, as createHmac computes it', () => {
    fc.assert(
      fc.property(bytes(64), bytes(300), (key, data) => {
        expect(hmac(key, data)).toEqual(createHmac('sha256', key).update(data).digest());
      }),
    );
  });

  it('are whole numbers that JavaScript and bigint hold exactly', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const index = blindIndex(indexKey, 'name', value);
        expect(Number.isSafeInteger(index) && index >= 0 && index < 2 ** 48).toBe(true);
      }),
    );
  });

  it('ignore case, width and blank ends, and separators in phones', () => {
    const same = (field: string, a: string, b: string) => blindIndex(indexKey, field, a) === blindIndex(indexKey, field, b);
    expect(same('sender', ' A@X.example', 'a@x.example')).toBe(true);
    expect(same('id_number', '１１X', '11x')).toBe(true);
    expect(same('phone', '139 1234-5678', '13912345678')).toBe(true);
    expect(same('title', 'a b', 'ab')).toBe(false);
  });

  it('differ by field, value and key', () => {
    const index = blindIndex(indexKey, 'name', 'anna');
    expect(blindIndex(indexKey, 'title', 'anna')).not.toBe(index);
    expect(blindIndex(indexKey, 'name', 'bob')).not.toBe(index);
    expect(blindIndex(indexKeyOf(randomBytes(32)), 'name', 'anna')).not.toBe(index);
  });
});

it('lists the addresses of recipients', () => {
  expect(addressesOf('a@x.example, ,b@y.example,')).toEqual(['a@x.example', 'b@y.example']);
  expect(addressesOf(undefined)).toEqual([]);
});
