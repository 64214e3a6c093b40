import { describe, expect, it } from 'vitest';
import { mutations } from '../../../test/byte-fuzz.ts';
import { runs } from '../../../test/soak.ts';
import { makeTestAuthority } from '../../../test/test-authority.ts';
import { readCertificate } from './read-certificate.ts';

const now = 1_800_000_000;
const domain = 'noc.example.com';
const authority = makeTestAuthority(now);
const pair = authority.issue([domain]);
const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
const files = [
  { cert: Buffer.from(pair.full), key: Buffer.from(pair.key) },
  { cert: derOf(pair.leaf), key: derOf(pair.key) },
];

describe('the reader of uploaded certificates', () => {
  it('answers every mutated certificate and key with a certificate or a fault, and never throws', () => {
    const rounds = runs(50_000, 2000, 300);
    const certs = mutations(
      files.map(({ cert }) => cert),
      rounds,
    );
    const keys = mutations(
      files.map(({ key }) => key),
      rounds,
    );
    let faults = 0;
    for (let round = 0; round < rounds; round++) {
      const { cert, key } = files[round % files.length] ?? { cert: Buffer.alloc(0), key: Buffer.alloc(0) };
      const read = readCertificate({
        cert: round % 3 === 1 ? cert : Buffer.from(certs[round] ?? []),
        key: round % 3 === 0 ? key : Buffer.from(keys[round] ?? []),
        domain,
        now,
      });
      if ('field' in read) faults++;
      else expect(read.sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(faults).toBeGreaterThan(rounds / 2);
  });

  it('reads DER as well as PEM, and refuses a file of too many certificates', () => {
    const alone = authority.issue([domain], { issuer: undefined });
    const read = readCertificate({ cert: derOf(alone.leaf), key: derOf(alone.key), domain, now });
    expect(read).toMatchObject({ expireAt: now + 89 * 86_400 });
    const many = readCertificate({ cert: Buffer.from(pair.leaf.repeat(11)), key: Buffer.from(pair.key), domain, now });
    expect(many).toMatchObject({ field: 'cert_file' });
  });
});
