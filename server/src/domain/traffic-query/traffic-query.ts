import type { Values } from '@farlink/contract/kit/values.ts';
import type { StatBy } from '@farlink/contract/traffic/choices.ts';
import { protocolsLike } from '@farlink/contract/traffic/flow-protocol.ts';
import type { TrafficKind } from '@farlink/contract/traffic/kinds.ts';
import { type Period, periodOf } from '@farlink/contract/traffic/period.ts';
import { servicesLike } from '@farlink/contract/traffic/service.ts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { SessionInfo } from '../../db/column-types.ts';
import type { Db } from '../../kit/deps.ts';
import { inScope, withBranch } from '../../kit/list/scope.ts';

/** Columns that a condition needs. They decide which table is read. */
export type Dimension = 'device' | 'network' | 'account' | 'service' | 'protocol';

/** Values for which an index returns the rows in order of time. */
interface IndexedValues {
  readonly column: RawBuilder<string>;
  readonly values: readonly string[];
}

interface Condition {
  readonly needs?: Dimension;
  readonly sql: RawBuilder<SqlBool>;
  /** The condition allows these values only. */
  readonly indexed?: IndexedValues | undefined;
}

/** A traffic query: VNOs, period and conditions. All conditions refer to the table alias `r`. */
export interface TrafficQuery {
  readonly kind: TrafficKind;
  readonly me: SessionInfo;
  readonly stat: StatBy;
  readonly period: Period;
  readonly conditions: readonly Condition[];
  readonly needs: ReadonlySet<Dimension>;
  /** Condition on the total of a row of the list. */
  readonly total: RawBuilder<SqlBool> | undefined;
  /** VNOs of the rows; undefined for the whole tree. */
  readonly agents: readonly number[] | undefined;
  /** The most selective condition with an index by its values and time. */
  readonly indexed: IndexedValues | undefined;
  /** Citus does not run a limited subquery for each VNO. */
  readonly isSpread: boolean;
}

/** More accounts than this are matched by text, not by a list of names. */
const maxAccounts = 500;
/** As in other searches of accounts: the index needs three characters, so fewer are matched at the start. */
const likeText = (text: string) => `${[...text].length < 3 ? '' : '%'}${text.replace(/[\\%_]/g, '\\$&')}%`;

/** Accounts of the scope that contain the text, by the text index of subscribers; the text itself also finds deleted accounts. */
const accountCondition = async (db: Db, me: SessionInfo, text: string): Promise<Condition> => {
  const found = await db
    .selectFrom('subscriber')
    .select('account')
    .where(sql<SqlBool>`account ilike ${likeText(text)}`)
    .where(inScope(me, 'subscriber.agent_id'))
    .limit(maxAccounts + 1)
    .execute();
  const needs = 'account';
  const column = sql<string>`lower(r.account)`;
  if (found.length > maxAccounts) return { needs, sql: sql<SqlBool>`${column} like ${likeText(text.toLowerCase())}` };
  const names = [...new Set([text, ...found.map(({ account }) => account)].map((name) => name.toLowerCase()))];
  return { needs, sql: sql<SqlBool>`${column} = any(${names}::text[])`, indexed: { column, values: names } };
};

/** The application of a flow: the second number of `carrier.application`, or the carrier if there is none. */
export const applicationSql = (column: string): RawBuilder<string> =>
  sql<string>`case when split_part(${sql.ref(column)}, '.', 2) in ('', '0') then split_part(${sql.ref(column)}, '.', 1)
    else split_part(${sql.ref(column)}, '.', 2) end`;

/** A pair of numbers is one protocol; a single number or a name is an application with any carrier. */
const protocolCondition = (text: string): Condition => {
  const needs = 'protocol';
  const column = applicationSql('r.protocol_id');
  const [, carrier, application] = /^(\d+)\.(\d+)$/.exec(text) ?? [];
  if (carrier !== undefined && application !== undefined) {
    const indexed = { column, values: [application === '0' ? carrier : application] };
    return { needs, sql: sql<SqlBool>`r.protocol_id = ${text} and ${column} = any(${indexed.values}::text[])`, indexed };
  }
  const ids = /^\d+$/.test(text) ? [text] : protocolsLike(text);
  return { needs, sql: sql<SqlBool>`${column} = any(${ids}::text[])`, indexed: { column, values: ids } };
};

const comparisons = { gt: sql`>`, eq: sql`=`, lt: sql`<` } as const;
const isComparison = (value: unknown): value is keyof typeof comparisons => typeof value === 'string' && value in comparisons;

const totalSql = (filters: Values): RawBuilder<SqlBool> | undefined => {
  const { total_bytes: value, cond_total_bytes: cond, total_bytes_end: end } = filters;
  if (typeof value !== 'number') return undefined;
  if (cond === 'between' && typeof end === 'number') return sql<SqlBool>`t.total_bytes between ${value} and ${end}`;
  return sql<SqlBool>`t.total_bytes ${comparisons[isComparison(cond) ? cond : 'eq']} ${value}`;
};

const conditionsOf = async (db: Db, me: SessionInfo, kind: TrafficKind, filters: Values): Promise<Condition[]> => {
  const { device_id, device_group_id, network, account, service, protocol_id, vno_id, user_id } = filters;
  const found: Condition[] = [{ sql: inScope(me, 'r.agent_id') }];
  if (me.rights.device_ids) found.push({ needs: 'device', sql: inScope(me, 'r.agent_id', 'r.device_id') });
  if (typeof vno_id === 'number') found.push({ sql: sql<SqlBool>`r.agent_id = ${vno_id}` });
  if (typeof device_id === 'number') found.push({ needs: 'device', sql: sql<SqlBool>`r.device_id = ${device_id}` });
  if (typeof device_group_id === 'number') {
    const members = sql`select device.id from device where device.device_group_id = ${device_group_id} and ${inScope(me, 'device.agent_id', 'device.id')}`;
    found.push({ needs: 'device', sql: sql<SqlBool>`r.device_id = any(array(${members}))` });
  }
  if (typeof network === 'string') found.push({ needs: 'network', sql: sql<SqlBool>`r.network = ${network}` });
  if (typeof user_id === 'number') found.push({ needs: 'account', sql: sql<SqlBool>`r.subscriber_id = ${user_id}` });
  if (typeof account === 'string') found.push(await accountCondition(db, me, account));
  if (typeof service === 'string') found.push({ needs: 'service', sql: sql<SqlBool>`r.service = any(${servicesLike(service)}::text[])` });
  if (kind.isDpi && typeof protocol_id === 'string') found.push(protocolCondition(protocol_id));
  return found;
};

/** VNOs of the session, or the chosen one. */
const agentsOf = (me: SessionInfo, vnoId: unknown): readonly number[] | undefined => {
  if (typeof vnoId === 'number') return [vnoId];
  const { vno_ids } = me.rights;
  if (me.agent_level === 0) return vno_ids ?? undefined;
  return vno_ids ? (me.branch ?? []).filter((id) => vno_ids.includes(id)) : me.branch;
};

const asTime = (value: unknown) => (typeof value === 'number' ? value : undefined);
export const statOf = (filters: Values): StatBy => (filters.stat_by === 'day' || filters.stat_by === 'month' ? filters.stat_by : 'hour');

const known = new WeakMap<Db, boolean>();

/** Queried once per pool. */
const isOnCitus = async (db: Db): Promise<boolean> => {
  const last = known.get(db);
  if (last !== undefined) return last;
  const { rows } = await sql<{ found: boolean }>`select to_regclass('pg_catalog.pg_dist_partition') is not null as found`.execute(db);
  const found = rows[0]?.found === true;
  known.set(db, found);
  return found;
};

interface TrafficRequest {
  readonly me: SessionInfo;
  readonly now: number;
  readonly filters: Values;
}

export const trafficQuery = async (db: Db, kind: TrafficKind, { me: session, now, filters }: TrafficRequest): Promise<TrafficQuery> => {
  const me = session.branch ? session : await withBranch(db, session);
  const stat = statOf(filters);
  const conditions = await conditionsOf(db, me, kind, filters);
  return {
    kind,
    me,
    stat,
    period: periodOf(stat, { start: asTime(filters.time_start), end: asTime(filters.time_end) }, now),
    conditions,
    needs: new Set(conditions.flatMap(({ needs }) => needs ?? [])),
    total: totalSql(filters),
    agents: agentsOf(me, filters.vno_id),
    indexed: conditions.find(({ indexed }) => indexed)?.indexed,
    isSpread: await isOnCitus(db),
  };
};

/** The conditions of a query on the rows of a period. */
export const whereSql = ({ conditions }: TrafficQuery, { start, end }: Period): RawBuilder<SqlBool> =>
  sql.join([sql`r.time between ${start} and ${end}`, ...conditions.map((c) => c.sql)], sql` and `);
