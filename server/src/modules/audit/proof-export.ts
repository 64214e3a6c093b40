import { mayReveal } from '@farlink/contract/audit/audit-fields.ts';
import type { AuditPage } from '@farlink/contract/audit/choices.ts';
import { type RawBuilder, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import { type AuditKind, auditSpecs } from '../../domain/audit/kinds.ts';
import { proofZip } from '../../domain/audit/proof-zip.ts';
import type { RowRef } from '../../domain/audit/proofs.ts';
import type { Deps } from '../../kit/deps.ts';
import type { Print, Row } from '../../kit/export/export-rows.ts';
import { failAt } from '../../kit/fail.ts';
import { skewS } from './search-conditions.ts';

/** Kind of the rows of a page. Terminals are shown by their current state, which is not a row of a batch. */
export const kinds: Readonly<Partial<Record<AuditPage, AuditKind>>> = {
  authAccount: 'auth',
  virtualIdentity: 'identity',
  networkURL: 'url',
  networkForum: 'forum',
  electronicMail: 'mail',
};

/** Found rows with their position in their batch. */
export const withProofPositions = (found: RawBuilder<unknown>, kind: AuditKind, start: number): RawBuilder<unknown> => sql`(
  select t.*, batch_row.batch, batch_row.n, batch_row.stored_at from ${found} as t
    join ${sql.table(auditSpecs[kind].table)} as batch_row on batch_row.id = t.id and batch_row.stored_at >= ${start - skewS})`;

export const refOf = ({ batch, n, stored_at }: Row): RowRef => ({ batch: String(batch), n: Number(n), stored_at: Number(stored_at) });

/** Archive of the rows with their proofs. With the right to reveal, also with the sealed values in clear. */
export const proofsOf = (deps: Deps, kind: AuditKind, reveal: boolean): Print =>
  async function* print(batches) {
    async function* rows() {
      for await (const batch of batches) yield batch.map((row) => ({ ...refOf(row), kind }));
    }
    yield* await proofZip(deps, { rows: rows(), reveal });
  };

export const refuseUnclear = (me: SessionInfo, isClear: boolean) => {
  if (isClear && !mayReveal(me)) throw failAt('content', ['您没有查看明文的权限', 'You have no right to reveal values']);
};
