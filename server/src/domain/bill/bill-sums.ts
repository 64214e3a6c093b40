import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { monthStart } from '@farlink/contract/kit/zone.ts';
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { BillMonthTable } from '../../db/tables.ts';
import type { Db } from '../../kit/deps.ts';
import type { JobOwner } from '../../kit/export/export-job.ts';
import { filterSql } from '../../kit/list/conditions.ts';
import { inScope } from '../../kit/list/scope.ts';

export type BillList = BillMonthTable['list'];

interface SumQuery {
  readonly list: BillList;
  /** All bills of the list in the scope of the reader. */
  readonly bills: Expression<unknown>;
  readonly resource: Resource;
  readonly filters: Values;
  /** The bills are those of one user. */
  readonly isOfUser?: boolean;
}

const epoch = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Filters that the sums of months support. */
const monthFilters = new Set(['create_at_start', 'create_at_end', 'vno_id']);

/** Whole months within the filter: the first second of the first month, and of the month after the last. */
const wholeMonths = (filters: Values) => {
  const start = epoch(filters.create_at_start);
  const end = epoch(filters.create_at_end);
  return {
    start,
    end,
    first: start === undefined ? undefined : monthStart(start - 1, 1),
    after: end === undefined ? undefined : monthStart(end + 1),
  };
};

/**
 * Sums of whole months: of the branch of the session from `bill_branch_month`, with the changes that the job has not added yet; of one VNO,
 * or for a role limited to VNOs, from `bill_month`.
 */
const monthSums = ({ me }: JobOwner, { list, filters }: SumQuery, names: RawBuilder<unknown>, range: RawBuilder<SqlBool>) => {
  const from = (table: 'bill_month' | 'bill_branch_month' | 'bill_month_change', scope: RawBuilder<SqlBool>) =>
    sql`select ${names} from ${sql.table(table)} where list = ${sql.lit(list)} and ${scope} and ${range}`;
  if (filters.vno_id !== undefined)
    return [from('bill_month', sql<SqlBool>`${inScope(me, 'bill_month.agent_id')} and agent_id = ${filters.vno_id}`)];
  if (me.rights.vno_ids) return [from('bill_month', inScope(me, 'bill_month.agent_id'))];
  return [
    from('bill_branch_month', sql<SqlBool>`agent_id = ${me.agent_id}`),
    from('bill_month_change', inScope(me, 'bill_month_change.agent_id')),
  ];
};

/** Whether the sums of months support the filters; a role that is limited to devices reads the bills. Other sums read each bill. */
export const hasStoredSums = ({ me }: JobOwner, { filters, isOfUser }: SumQuery): boolean => {
  const { first, after } = wholeMonths(filters);
  const used = Object.keys(filters).filter((name) => filters[name] !== undefined);
  return !isOfUser && !me.rights.device_ids && used.every((name) => monthFilters.has(name)) && (first ?? 0) < (after ?? Infinity);
};

/** Sums of whole months are stored; only bills of the partial months at both ends are read (decision 56). */
export const sumBills = async (db: Db, owner: JobOwner, query: SumQuery): Promise<Record<string, string>> => {
  const { list, bills, resource, filters } = query;
  const { sums: columns = [] } = resource;
  const names = sql.join(columns.map((name) => sql.ref(name)));
  // An unpaid order is not income yet.
  const isIncluded = list === 'online' ? sql<SqlBool>`t.state = 'paid'` : sql<SqlBool>`true`;
  const billsWith = (more: RawBuilder<SqlBool>) =>
    sql`select ${names} from ${bills} as t where ${isIncluded} and ${filterSql(resource, filters)} and ${more}`;
  const { start, end, first, after } = wholeMonths(filters);
  const range = sql<SqlBool>`${first === undefined ? sql`true` : sql`month >= ${first}`} and ${after === undefined ? sql`true` : sql`month < ${after}`}`;
  const selects = !hasStoredSums(owner, query)
    ? [billsWith(sql<SqlBool>`true`)]
    : [
        ...monthSums(owner, query, names, range),
        ...(start === first ? [] : [billsWith(sql<SqlBool>`t.create_at < ${first}`)]),
        ...(end === undefined || end + 1 === after ? [] : [billsWith(sql<SqlBool>`t.create_at >= ${after}`)]),
      ];
  const sums = columns.map((name) => sql`coalesce(sum(${sql.ref(name)}), 0)::numeric(18, 2)::text as ${sql.ref(name)}`);
  const { rows } = await sql<
    Record<string, string>
  >`select ${sql.join(sums)} from (${sql.join(selects, sql` union all `)}) as figures`.execute(db);
  return rows[0] ?? {};
};
