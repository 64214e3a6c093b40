import type { Lang } from '@farlink/contract/kit/text.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { flowProtocol, knownProtocols } from '@farlink/contract/traffic/flow-protocol.ts';
import { manageService } from '@farlink/contract/traffic/service.ts';
import { type RawBuilder, sql } from 'kysely';
import { applicationSql, type TrafficQuery } from '../../domain/traffic-query/traffic-query.ts';
import { inScope } from '../../kit/list/scope.ts';

/** KB/s over the measured seconds. */
const speedSql = (name: string) => sql`round(${sql.ref(name)} / 1024.0 / nullif(t.seconds, 0), 1)::float8`;

const protocolJoin = (lang: Lang): RawBuilder<unknown> => {
  const ids = knownProtocols.map(({ id }) => id);
  const names = knownProtocols.map(({ name }) => say(name, lang));
  const categories = knownProtocols.map(({ category }) => say(category, lang));
  return sql`left join unnest(${ids}::text[], ${names}::text[], ${categories}::text[]) as known(id, name, category)
    on known.id = ${applicationSql('t.protocol_id')}`;
};

const serviceJoin = (lang: Lang): RawBuilder<unknown> => {
  const names = Object.values(manageService).map((name) => say(name, lang));
  return sql`left join unnest(${Object.keys(manageService)}::text[], ${names}::text[]) as known(id, name) on known.id = t.service`;
};

/** Names of protocols are read by the database only to sort by them; a join for each row costs more than the row. */
const isNamedBySql = ({ kind }: TrafficQuery, orderby: string | undefined) => kind.isDpi && orderby?.split(' ')[0] === 'protocol_name';

/** Names of the columns that `namedSql` leaves as protocol ids. */
export const protocolNames = (query: TrafficQuery, orderby: string | undefined, lang: Lang) => {
  if (!query.kind.isDpi || isNamedBySql(query, orderby)) return undefined;
  // An export asks for the few protocols a million times.
  const known = new Map<unknown, { readonly name: string; readonly category: string | null }>();
  const namesOf = (id: unknown) => {
    const found = known.get(id);
    if (found) return found;
    const { name, category } = flowProtocol(String(id));
    const names = { name: say(name, lang), category: say(category ?? ['', ''], lang) || null };
    known.set(id, names);
    return names;
  };
  return { protocol_name: (id: unknown) => namesOf(id).name, category_name: (id: unknown) => namesOf(id).category };
};

const subjectOf = (query: TrafficQuery, orderby: string | undefined): RawBuilder<unknown> => {
  const { kind } = query;
  const speeds = sql`${speedSql('t.up_bytes')} as up_speed, ${speedSql('t.down_bytes')} as down_speed, t.peak_speed, t.link, t.network`;
  if (kind.id === 'flow_usr') return sql`nullif(t.account, '') as account, ${speeds}`;
  if (kind.id === 'flow_mgt') return sql`coalesce(known.name, t.service) as service, ${speeds}`;
  const names = isNamedBySql(query, orderby)
    ? sql`coalesce(known.name, t.protocol_id) as protocol_name, known.category as category_name`
    : sql`t.protocol_id as protocol_name, t.protocol_id as category_name`;
  const application = sql`${names}, t.protocol_id, t.session_count`;
  return kind.id === 'dpi_usr' ? sql`${application}, nullif(t.account, '') as account` : application;
};

const joinOf = (query: TrafficQuery, orderby: string | undefined, lang: Lang): RawBuilder<unknown> => {
  if (isNamedBySql(query, orderby)) return protocolJoin(lang);
  return query.kind.id === 'flow_mgt' ? serviceJoin(lang) : sql``;
};

interface SortKey {
  readonly value: RawBuilder<unknown>;
  readonly join: RawBuilder<unknown>;
}

/** The order of a column that is not stored, without the names and numbers of the other columns. */
export const sortKeyOf = (column: string, lang: Lang): SortKey | undefined => {
  const speed = (name: string) => ({ value: sql`${sql.ref(name)}::float8 / nullif(t.seconds, 0)`, join: sql`` });
  if (column === 'account') return { value: sql`nullif(t.account, '')`, join: sql`` };
  if (column === 'up_speed') return speed('t.up_bytes');
  if (column === 'down_speed') return speed('t.down_bytes');
  if (column === 'service') return { value: sql`coalesce(known.name, t.service)`, join: serviceJoin(lang) };
  if (column === 'protocol_name') return { value: sql`coalesce(known.name, t.protocol_id)`, join: protocolJoin(lang) };
  return undefined;
};

interface Naming {
  readonly lang: Lang;
  readonly total: number;
  readonly orderby: string | undefined;
}

/**
 * Rows with the names that the list shows, except protocol names, which `protocolNames` adds. `total` is the sum of the filtered rows, for
 * shares. A device outside the scope of the session has no name, because its new VNO may have renamed it.
 */
export const namedSql = (query: TrafficQuery, rows: RawBuilder<unknown>, { lang, total, orderby }: Naming): RawBuilder<unknown> =>
  sql`select t.id, t.time, t.agent_id, ${subjectOf(query, orderby)}, t.up_bytes, t.down_bytes, t.total_bytes,
      round(100.0 * t.total_bytes / nullif(${total}::numeric, 0), 4)::float8 as percent,
      device.id as device_id, coalesce(device.name, nas.name) as device_name, coalesce(device.sn, nas.identifier) as sn, agent.name as agent_name
    from (${rows}) as t
    left join agent on agent.id = t.agent_id
    left join device on device.id = t.device_id and ${inScope(query.me, 'device.agent_id', 'device.id')}
    left join nas on nas.id = -t.device_id and ${inScope(query.me, 'nas.agent_id', 'nas.device_id')}
    ${joinOf(query, orderby, lang)}`;

/** Percent of a sum with four decimals, as `round(100.0 * part / sum, 4)` gives. Null without a sum. */
export const percentOf = (part: number, sum: number): number | null => {
  if (sum === 0) return null;
  const millionths = (part * 1_000_000) / sum;
  // Near a tie floating point may round to the other side.
  const isSafe = Math.abs(millionths - Math.floor(millionths) - 0.5) > 1e-4 && millionths < 1e9;
  if (isSafe) return Math.round(millionths) / 10_000;
  return Number((2_000_000n * BigInt(part) + BigInt(sum)) / (2n * BigInt(sum))) / 10_000;
};
