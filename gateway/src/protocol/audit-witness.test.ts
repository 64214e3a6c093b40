import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { packProof, storedSize, type WitnessDoc, witnessRefusal } from './audit-witness.ts';
import { newSigningKey, privateKeyOf, signCheckpoint } from './checkpoint.ts';
import { leafHash, rootOf, splitAt } from './merkle.ts';

const newLog = () => {
  const { origin, publicKey, pem } = newSigningKey();
  return { origin, publicKey, privateKey: privateKeyOf(pem) };
};
const log = newLog();
const leavesOf = (count: number, name = 'entry') => Array.from({ length: count }, (_, i) => leafHash(Buffer.from(`${name} ${i}`)));

/** Consistency proof as RFC 6962 section 2.1.2 defines it. */
const proofOf = (old: number, leaves: readonly Buffer[], isOld = true): Buffer[] => {
  if (old === leaves.length) return isOld ? [] : [rootOf(leaves)];
  const k = splitAt(leaves.length);
  return old <= k
    ? [...proofOf(old, leaves.slice(0, k), isOld), rootOf(leaves.slice(k))]
    : [...proofOf(old - k, leaves.slice(k), false), rootOf(leaves.slice(0, k))];
};
const docOf = (leaves: readonly Buffer[], from = 0, signer = log): WitnessDoc => ({
  key: signer.publicKey.toString('base64'),
  checkpoint: signCheckpoint({ origin: signer.origin, size: leaves.length, root: rootOf(leaves) }, signer),
  from,
  proof: packProof(from === 0 || from > leaves.length ? [] : proofOf(from, leaves)),
});

describe('a gateway as a witness', () => {
  test('accepts its first checkpoint if the key has signed it', () => {
    expect(witnessRefusal(undefined, docOf(leavesOf(5)))).toBeUndefined();
    expect(witnessRefusal({}, docOf(leavesOf(5), 3))).toBeUndefined();
    expect(witnessRefusal(undefined, { ...docOf(leavesOf(5)), key: newLog().publicKey.toString('base64') })).toContain('E_WITNESS');
  });

  test('accepts consistent growth from any size to any size', () => {
    for (let old = 1; old <= 20; old++)
      for (let size = old; size <= 20; size++)
        expect(witnessRefusal(docOf(leavesOf(old)), docOf(leavesOf(size), old)), `${old} ${size}`).toBeUndefined();
  });

  test('accepts the same checkpoint again, whatever its proof', () => {
    const doc = docOf(leavesOf(9), 4);
    expect(witnessRefusal(doc, doc)).toBeUndefined();
  });

  test('refuses a shorter log', () => {
    expect(witnessRefusal(docOf(leavesOf(9)), docOf(leavesOf(8), 8))).toBe('E_WITNESS log is shorter: 8 after 9');
  });

  test('refuses a log whose earlier entries were rewritten, at any size', () => {
    for (let size = 9; size <= 20; size++)
      expect(witnessRefusal(docOf(leavesOf(9)), docOf(leavesOf(size, 'other'), 9)), String(size)).toBe(
        `E_WITNESS log was rewritten: ${size} after 9`,
      );
  });

  test('refuses a proof with a changed, missing, added or truncated hash', () => {
    const stored = docOf(leavesOf(9));
    const doc = docOf(leavesOf(20), 9);
    const proof = proofOf(9, leavesOf(20));
    const other = hash('sha256', 'other', 'buffer');
    const wrong = [proof.slice(1), proof.slice(0, -1), [...proof, other], ...proof.map((_, i) => proof.with(i, other))].map(packProof);
    for (const text of ['', packProof(proof).slice(0, -4), ...wrong])
      expect(witnessRefusal(stored, { ...doc, proof: text })).toBe('E_WITNESS log was rewritten: 20 after 9');
  });

  test('refuses a wrong signature and a changed size or root', () => {
    const stored = docOf(leavesOf(4));
    const doc = docOf(leavesOf(9), 4);
    const lines = doc.checkpoint.split('\n');
    const changed = [
      lines.with(1, '10'),
      lines.with(2, rootOf(leavesOf(3)).toString('base64')),
      lines.with(4, docOf(leavesOf(8)).checkpoint.split('\n')[4] ?? ''),
    ];
    for (const text of changed) expect(witnessRefusal(stored, { ...doc, checkpoint: text.join('\n') })).toBe('E_WITNESS signature invalid');
  });

  test('refuses another key, also for the same entries', () => {
    const other = newLog();
    expect(witnessRefusal(docOf(leavesOf(4)), docOf(leavesOf(9), 4, other))).toBe('E_WITNESS signed by another key');
    expect(witnessRefusal(docOf(leavesOf(4)), docOf(leavesOf(9), 4, { ...other, origin: log.origin }))).toBe(
      'E_WITNESS signed by another key',
    );
    expect(witnessRefusal(docOf(leavesOf(4)), docOf(leavesOf(9), 4, { ...log, origin: 'another' }))).toBe('E_WITNESS another log');
  });

  test('replies with its own size if the proof starts at another size', () => {
    const refusal = witnessRefusal(docOf(leavesOf(7)), docOf(leavesOf(9), 4));
    expect([refusal, storedSize(refusal ?? null)]).toEqual(['E_FROM 7', 7]);
    expect([null, 'E_FROM', 'E_FROM x', 'E_FROM -1', 'E_FROM 1e9', 'E_WITNESS 7'].map(storedSize)).toEqual(Array(6).fill(undefined));
  });

  test('refuses a malformed document', () => {
    const doc = docOf(leavesOf(5));
    for (const wrong of [{}, { ...doc, from: -1 }, { ...doc, proof: '*' }, { ...doc, key: 'x'.repeat(45) }])
      expect(witnessRefusal(undefined, wrong)).toMatch(/^E_DOC /);
    for (const wrong of [
      { ...doc, key: '' },
      { ...doc, checkpoint: '' },
    ])
      expect(witnessRefusal(undefined, wrong)).toMatch(/^E_WITNESS /);
  });
});
