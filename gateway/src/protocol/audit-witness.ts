import { Buffer } from 'node:buffer';
import { type Checkpoint, openCheckpoint } from './checkpoint.ts';
import { isConsistent } from './merkle.ts';
import { int, type JsonObject, type Of, obj, parse, str } from './shape.ts';

/**
 * Gateways are witnesses of the audit log: each stores the newest checkpoint that extends the previous one. This is the name of the section
 * and of the capability.
 */
export const witnessSection = 'audit_witness';

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const hashBytes = 32;

/** A signed checkpoint, the public key of the log, and the consistency proof from the log of `from` entries: its hashes in base64. */
const witnessDoc = obj({
  key: str(44, base64),
  checkpoint: str(1024),
  from: int(0, Number.MAX_SAFE_INTEGER),
  proof: str(4096, base64),
});
export type WitnessDoc = Of<typeof witnessDoc>;

/** Prefix of a refusal that shows a rewritten log. */
export const witnessConflict = 'E_WITNESS';

/** Code of a refusal whose proof does not start at the size of the stored checkpoint; that size follows. */
export const witnessFrom = 'E_FROM';

/** Size of the checkpoint that the gateway stores, if it is the reason of the refusal. */
export const storedSize = (err: string | null): number | undefined => {
  const [code, digits = ''] = err?.split(' ') ?? [];
  return code === witnessFrom && /^\d{1,15}$/.test(digits) ? Number(digits) : undefined;
};

export const packProof = (hashes: readonly Buffer[]): string => Buffer.concat([...hashes]).toString('base64');

const hashesIn = (proof: string): Buffer[] => {
  const bytes = Buffer.from(proof, 'base64');
  return Array.from({ length: Math.ceil(bytes.length / hashBytes) }, (_, i) => bytes.subarray(i * hashBytes, (i + 1) * hashBytes));
};

const read = (doc: JsonObject | undefined) => {
  const parsed = parse(witnessDoc, doc);
  if ('reason' in parsed) return parsed;
  return { ...parsed.value, opened: openCheckpoint(parsed.value.checkpoint, Buffer.from(parsed.value.key, 'base64')) };
};

const continues = (old: Checkpoint, next: Checkpoint, proof: string): boolean =>
  old.size === next.size ? old.root.equals(next.root) : isConsistent(old.size, next.size, old.root, next.root, hashesIn(proof));

/**
 * Why a gateway refuses a checkpoint; undefined: it accepts and stores it. `stored` is the last accepted document. The first one is accepted
 * if its key has signed it; the key stays the same afterwards.
 */
export const witnessRefusal = (stored: JsonObject | undefined, doc: JsonObject): string | undefined => {
  const next = read(doc);
  if ('reason' in next) return `E_DOC ${next.reason}`;
  const old = read(stored);
  const isFirst = 'reason' in old || !old.opened;
  if (!isFirst && old.key !== next.key) return `${witnessConflict} signed by another key`;
  if (!next.opened) return `${witnessConflict} signature invalid`;
  if (isFirst || !old.opened) return undefined;
  const sizes = `${next.opened.size} after ${old.opened.size}`;
  if (old.opened.origin !== next.opened.origin) return `${witnessConflict} another log`;
  if (next.opened.size < old.opened.size) return `${witnessConflict} log is shorter: ${sizes}`;
  if (next.opened.size > old.opened.size && next.from !== old.opened.size) return `${witnessFrom} ${old.opened.size}`;
  return continues(old.opened, next.opened, next.proof) ? undefined : `${witnessConflict} log was rewritten: ${sizes}`;
};
