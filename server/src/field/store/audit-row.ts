import type { SealedContent } from '../../domain/audit/sealed-values.ts';

export type Cell = string | number | null;

/** A row of any kind on its way into its table. */
export interface AuditRow {
  readonly batch: string;
  readonly n: number;
  readonly device_id: number;
  readonly agent_id: number;
  readonly subscriber_id: number | null;
  /** Plain columns by name. */
  readonly plain: Readonly<Record<string, Cell>>;
  readonly content: SealedContent | undefined;
  readonly commitment: Buffer | null;
  readonly added_commitment: Buffer | null;
}
