import type { Pool } from 'pg';
import { weekS } from '../../db/partitions.ts';
import type { Finding } from './findings.ts';
import { type AuditKind, auditSpecs } from './kinds.ts';
import type { LogLeaf } from './log.ts';

/** The law requires six months. */
const minDays = 180;
/** A dropped week is removed by the run of retention that follows. */
const graceS = 2 * 86_400;

export const weekOf = (at: number): number => Math.floor(at / weekS) * weekS;

/** With a limit, because workers would return all rows. */
const existsSql = (from: string, where: string) => `exists (select 1 from ${from} where ${where} limit 1)`;

interface WeekState {
  readonly has_seals: boolean;
  readonly has_batches: boolean;
  readonly has_rows: boolean;
}

export interface WeekResult {
  /** The week has no rows to verify. */
  readonly isGone: boolean;
  readonly findings: readonly Finding[];
}

/** Checks whether a week of a kind was dropped, and whether the log has a leaf for it. */
export const verifyWeek = async (pool: Pool, kind: AuditKind, week: number, now: number): Promise<WeekResult> => {
  const { rows: drops } = await pool.query<LogLeaf>(
    "select * from audit_leaf where type = 'drop' and kind = $1 and from_at = $2 order by index limit 1",
    [kind, week],
  );
  const between = (column: string) => `${column} >= $2::bigint and ${column} < $3::bigint`;
  const { rows } = await pool.query<WeekState>(
    `select ${existsSql('audit_leaf', `type = 'seal' and kind = $1 and ${between('from_at')}`)} as has_seals,
      ${existsSql('audit_batch', `kind = $1 and ${between('stored_at')}`)} as has_batches,
      ${existsSql(auditSpecs[kind].table, between('stored_at'))} as has_rows`,
    [kind, week, week + weekS],
  );
  const state = rows[0] ?? { has_seals: false, has_batches: false, has_rows: false };
  const location = { kind, from_at: week, to_at: week + weekS };
  const [drop] = drops;
  const isEmpty = !state.has_batches && !state.has_rows;
  if (!drop) {
    const isLost = state.has_seals && isEmpty;
    return { isGone: isEmpty, findings: isLost ? [{ type: 'week_missing', ...location }] : [] };
  }
  const findings: Finding[] = [];
  if (!isEmpty && now > drop.create_at + graceS) findings.push({ type: 'week_returned', ...location });
  if (drop.create_at < week + weekS + minDays * 86_400) findings.push({ type: 'drop_early', ...location });
  return { isGone: true, findings };
};
