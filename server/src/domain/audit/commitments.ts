import { type AuditKind, addedValues, auditSpecs } from './kinds.ts';
import { commit } from './leaves.ts';
import { maskedSalt, type SealedContent } from './sealed-values.ts';

export interface Commitments {
  /** To the sealed values that the gateway reported. */
  readonly commitment: Buffer | null;
  /** To the values that the console added, or to the masked value. */
  readonly added_commitment: Buffer | null;
}

const commitmentTo = (salt: string | undefined, names: readonly string[], values: SealedContent['values']): Buffer | null =>
  salt === undefined
    ? null
    : commit(
        Buffer.from(salt, 'hex'),
        names.map((name) => values[name] ?? null),
      );

const reportedNames = (kind: AuditKind) => auditSpecs[kind].sealed.map(([name]) => name);

/** Commitments to the sealed values of a row. The opened content is enough to compute them again. */
export const commitmentsOf = (kind: AuditKind, { salt, addedSalt, values }: SealedContent): Commitments => ({
  commitment: commitmentTo(salt, reportedNames(kind), values),
  added_commitment: commitmentTo(addedSalt, addedValues, values),
});

/** Commitment to the masked value of a row. */
export const maskedCommitment = (
  secretKey: Buffer,
  position: { readonly batch: string; readonly n: number },
  value: string | null,
): Buffer => commit(maskedSalt(secretKey, position), [value]);
