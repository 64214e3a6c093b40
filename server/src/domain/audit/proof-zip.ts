import { Readable } from 'node:stream';
import { verifierKey } from '@farlink/gateway/protocol/checkpoint.ts';
import type { Deps } from '../../kit/deps.ts';
import { fail } from '../../kit/fail.ts';
import { type ZipEntry, zipFiles } from '../../kit/formats/zip-files.ts';
import { type HeldCopy, heldProof } from './held-proofs.ts';
import type { AuditKind } from './kinds.ts';
import { type Log, readLog } from './log.ts';
import { proofReadme } from './proof-readme.ts';
import { type BatchProof, type ProofRow, poolQuery, type RowRef, rowProofs, sealProofs, withoutMasked } from './proofs.ts';
import { openValues, type SealedContent } from './sealed-values.ts';
import { unwrapKey } from './subject-keys.ts';
import type { Query } from './transaction.ts';

/** Longer logs are compared by `known` only: 32 MB of hashes. */
const maxLeaves = 2 ** 20;
const leavesAtOnce = 10_000;

/** A row to prove: in its table, or as the copy of a legal hold. */
export interface ProvenRow extends RowRef {
  readonly kind: AuditKind;
  readonly held?: HeldCopy | undefined;
}

export interface ProofOptions {
  /** Rows of the export, in its order, already limited to the scope of the exporter. */
  readonly rows: AsyncIterable<readonly ProvenRow[]>;
  /** The exporter may see sealed values, which are added in clear with their salts, and values that are shown masked. */
  readonly reveal: boolean;
  /** Called with the number of rows written so far. */
  readonly written?: (rows: number) => Promise<void>;
}

/** Opens sealed values. Those whose key was deleted stay closed. */
const opener = (query: Query, secretKey: Buffer) => {
  const keys = new Map<number, ReturnType<typeof unwrapKey>>();
  return async ({ sealed, key_id }: ProofRow): Promise<SealedContent | undefined> => {
    if (sealed === null || key_id === null) return undefined;
    if (!keys.has(key_id)) {
      const [row] = await query<{ wrapped: string }>('select wrapped from audit_key where id = $1', [key_id]);
      keys.set(key_id, row && unwrapKey(secretKey, row.wrapped));
    }
    const key = keys.get(key_id);
    try {
      return key && openValues(key, sealed);
    } catch {
      return undefined;
    }
  };
};

const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/** Batches of a page, in the order of their first row. */
const byBatch = (refs: readonly ProvenRow[]) => [...Map.groupBy(refs, ({ batch, stored_at }) => `${batch} ${stored_at}`).values()];

/** Batches of the rows. The proof of a held batch is stored with its copies. */
type Batches = Map<string, BatchProof | undefined>;

const proofsOf = (query: Query, refs: readonly ProvenRow[], first: ProvenRow, secretKey: Buffer) =>
  first.held
    ? refs.flatMap(({ held }) => (held ? [heldProof(held)] : []))
    : rowProofs(query, first.kind, first, new Set(refs.map(({ n }) => n)), secretKey);

async function* rowLines(query: Query, secretKey: Buffer, options: ProofOptions, batches: Batches): AsyncGenerator<string> {
  const open = opener(query, secretKey);
  let rows = 0;
  for await (const page of options.rows) {
    for (const refs of byBatch(page)) {
      const [first] = refs;
      if (!first) continue;
      for (const { row, proof } of await proofsOf(query, refs, first, secretKey)) {
        const shown = options.reveal ? proof : withoutMasked(proof);
        if (!('withheld' in shown)) batches.set(first.batch, first.held?.proof.batch);
        const clear = options.reveal ? await open(row) : undefined;
        yield line(clear ? { ...shown, clear } : shown);
        rows++;
      }
    }
    await options.written?.(rows);
  }
}

async function* batchLines(batches: Batches, proofOf: (id: string) => Promise<BatchProof | undefined>, seals: Set<number>) {
  for (const [id, held] of batches) {
    const proof = held ?? (await proofOf(id));
    if (!proof) continue;
    if (proof.seal !== null) seals.add(proof.seal);
    yield line(proof);
  }
}

async function* leafHashes(query: Query, size: number): AsyncGenerator<Buffer> {
  for (let next = 0; next < size && size <= maxLeaves; next += leavesAtOnce) {
    const to = Math.min(size, next + leavesAtOnce);
    const rows = await query<{ hash: Buffer }>('select hash from audit_leaf where index >= $1 and index < $2 order by index', [next, to]);
    yield Buffer.concat(rows.map(({ hash }) => hash));
  }
}

async function* lines<T>(values: Iterable<T>, make: (value: T) => Promise<unknown>): AsyncGenerator<string> {
  for (const value of values) yield line(await make(value));
}

async function* entries(query: Query, log: Log, secretKey: Buffer, options: ProofOptions, at: number): AsyncGenerator<ZipEntry> {
  const text = (name: string, content: string): ZipEntry => ({ name, source: Readable.from([Buffer.from(content)]), at });
  const stream = (name: string, source: AsyncIterable<string | Buffer>): ZipEntry => ({ name, at, source: Readable.from(bytes(source)) });
  const [batches, seals]: [Batches, Set<number>] = [new Map(), new Set()];
  const proofs = sealProofs(query, log);
  yield text('README.txt', proofReadme);
  yield text('checkpoint.txt', log.checkpoint);
  yield text('key.txt', `${verifierKey(log.origin, log.public_key)}\n`);
  yield stream('rows.jsonl', rowLines(query, secretKey, options, batches));
  yield stream('batches.jsonl', batchLines(batches, proofs.batchProof, seals));
  yield stream('seals.jsonl', lines(seals, proofs.sealProof));
  yield stream('log.bin', leafHashes(query, log.size));
}

async function* bytes(source: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of source) yield Buffer.from(chunk);
}

/** ZIP of rows with all that proves them, for `npm run verify`. Memory does not grow with the rows, only with their batches. */
export const proofZip = async (
  { pool, config, clock }: Pick<Deps, 'pool' | 'config' | 'clock'>,
  options: ProofOptions,
): Promise<AsyncGenerator<Buffer>> => {
  const query = poolQuery(pool);
  const log = await readLog(query);
  if (!log) throw fail('export_empty');
  return zipFiles(entries(query, log, config.secretKey, options, clock.now()));
};
