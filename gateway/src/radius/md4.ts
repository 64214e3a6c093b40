import { Buffer } from 'node:buffer';

const rotate = (value: number, bits: number) => (value << bits) | (value >>> (32 - bits));
const mix1 = (x: number, y: number, z: number) => (x & y) | (~x & z);
const mix2 = (x: number, y: number, z: number) => (x & y) | (x & z) | (y & z);
const mix3 = (x: number, y: number, z: number) => x ^ y ^ z;
const rounds = [
  { mix: mix1, add: 0, order: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15], bits: [3, 7, 11, 19] },
  { mix: mix2, add: 0x5a827999, order: [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15], bits: [3, 5, 9, 13] },
  { mix: mix3, add: 0x6ed9eba1, order: [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], bits: [3, 9, 11, 15] },
];

const padded = (bytes: Uint8Array) => {
  const out = Buffer.alloc(Math.ceil((bytes.length + 9) / 64) * 64);
  out.set(bytes);
  out[bytes.length] = 0x80;
  out.writeBigUInt64LE(BigInt(bytes.length) * 8n, out.length - 8);
  return out;
};

/** MD4 (RFC 1320). OpenSSL 3 offers it only with its legacy provider; MS-CHAP needs it. */
export const md4 = (bytes: Uint8Array): Buffer => {
  const data = padded(bytes);
  let a = 0x67452301;
  let b = 0xefcdab89 | 0;
  let c = 0x98badcfe | 0;
  let d = 0x10325476;
  for (let at = 0; at < data.length; at += 64) {
    const before = [a, b, c, d] as const;
    for (const { mix, add, order, bits } of rounds)
      for (const [step, word] of order.entries()) {
        const sum = (a + mix(b, c, d) + data.readInt32LE(at + word * 4) + add) | 0;
        [a, b, c, d] = [d, rotate(sum, bits[step % 4] ?? 0), b, c];
      }
    [a, b, c, d] = [(a + before[0]) | 0, (b + before[1]) | 0, (c + before[2]) | 0, (d + before[3]) | 0];
  }
  const out = Buffer.alloc(16);
  for (const [i, word] of [a, b, c, d].entries()) out.writeInt32LE(word, i * 4);
  return out;
};
