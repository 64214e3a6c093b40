import type { BatchProof, ProofRow, RowProof } from './proofs.ts';

/** A copy of a row under a legal hold, with its proof. Both remain after the week of the row is dropped. */
export interface HeldCopy {
  /** Columns of the row; bytes in hex. */
  readonly content: Readonly<Record<string, string | number | null>>;
  readonly proof: { readonly row: RowProof; readonly batch: BatchProof };
}

const bytesOf = (value: string | number | null | undefined): Buffer | null =>
  typeof value === 'string' ? Buffer.from(value, 'hex') : null;

/** The copy as a row. */
export const heldProof = ({ content, proof }: HeldCopy): { row: ProofRow; proof: RowProof } => {
  const row = {
    ...content,
    n: Number(content.n),
    key_id: typeof content.key_id === 'number' ? content.key_id : null,
    sealed: bytesOf(content.sealed),
    commitment: bytesOf(content.commitment),
    added_commitment: bytesOf(content.added_commitment),
  };
  return { row, proof: proof.row };
};
