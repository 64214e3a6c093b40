import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { type RawBuilder, sql } from 'kysely';
import { type AuditKind, auditSpecs } from '../../domain/audit/kinds.ts';
import { proofZip } from '../../domain/audit/proof-zip.ts';
import type { RowRef } from '../../domain/audit/proofs.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Print, Row } from '../../kit/export/export-rows.ts';
import { skewS } from './search.ts';

/** Kind of the rows of a page. Terminals are shown by their current state, which is not a row of a batch. */
export const kinds: Readonly<Partial<Record<AuditPage, AuditKind>>> = {
  authAccount: 'auth',
  virtualIdentity: 'identity',
  networkURL: 'url',
  networkForum: 'forum',
  electronicMail: 'mail',
};

/** Found rows with their place in their batch. */
export const withPlaces = (found: RawBuilder<unknown>, kind: AuditKind, start: number): RawBuilder<unknown> => sql`(
  select t.*, place.batch, place.n, place.stored_at from ${found} as t
    join ${sql.table(auditSpecs[kind].table)} as place on place.id = t.id and place.stored_at >= ${start - skewS})`;

const refOf = ({ batch, n, stored_at }: Row): RowRef => ({ batch: String(batch), n: Number(n), stored_at: Number(stored_at) });

/** Archive of the rows with their proofs. With the right to reveal, also with the sealed values in clear. */
export const proofsOf = (deps: Deps, kind: AuditKind, reveal: boolean): Print =>
  async function* print(batches) {
    async function* rows() {
      for await (const batch of batches) yield batch.map(refOf);
    }
    yield* await proofZip(deps, { kind, rows: rows(), reveal });
  };
