import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type CanonicalValue, canonical } from './canonical.ts';

it('never changes its encoding, because proofs depend on it', () => {
  const values = ['a中', '', null, 0, -61, 2 ** 40, Buffer.from('00ff', 'hex'), 'z'];
  const bytes = canonical('url', values);
  expect(bytes.toString('latin1')).toBe(
    `${Buffer.from('c1\0url\0t4:a中t0:n;i1:0i3:-61i13:1099511627776b2:', 'utf8').toString('latin1')}\x00\xfft1:z`,
  );
});

const value: fc.Arbitrary<CanonicalValue> = fc.oneof(
  fc.string(),
  fc.string({ unit: 'grapheme' }),
  fc.maxSafeInteger(),
  fc.constant(null),
  fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom('n;', 't1:a', 'i1:1', 'b0:', '1', ''),
);

it('differs for different values', () => {
  fc.assert(
    fc.property(fc.array(value, { maxLength: 6 }), fc.array(value, { maxLength: 6 }), (a, b) => {
      const plain = (list: readonly CanonicalValue[]) => list.map((one) => (Buffer.isBuffer(one) ? `b${one.toString('hex')}` : one));
      const same = JSON.stringify([...plain(a), a.map(Buffer.isBuffer)]) === JSON.stringify([...plain(b), b.map(Buffer.isBuffer)]);
      expect(canonical('x', a).equals(canonical('x', b))).toBe(same);
    }),
  );
  expect(canonical('x', ['ab', 'c'])).not.toEqual(canonical('x', ['a', 'bc']));
  expect(canonical('x', [null])).not.toEqual(canonical('x', ['']));
  expect(canonical('x', [1])).not.toEqual(canonical('x', ['1']));
  expect(canonical('x', [])).not.toEqual(canonical('y', []));
});

it('equals the simple encoding: each value with a type mark and its length in bytes', () => {
  const encode = (one: CanonicalValue): Buffer => {
    if (one === null) return Buffer.from('n;');
    const bytes = Buffer.isBuffer(one) ? one : Buffer.from(String(one));
    const mark = Buffer.isBuffer(one) ? 'b' : typeof one === 'number' ? 'i' : 't';
    return Buffer.concat([Buffer.from(`${mark}${bytes.length}:`), bytes]);
  };
  fc.assert(
    fc.property(fc.array(value, { maxLength: 8 }), (values) => {
      const simple = Buffer.concat([Buffer.from('c1\0x\0'), ...values.map(encode)]);
      expect(canonical('x', values)).toEqual(simple);
      expect(canonical('x', values, '\0')).toEqual(Buffer.concat([Buffer.from([0]), simple]));
    }),
  );
  expect(canonical('x', ['a\ud800'])).toEqual(Buffer.from('c1\0x\0t4:a\ufffd'));
});
