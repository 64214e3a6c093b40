import { linkName } from '@farlink/contract/device/link-name.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { dataType } from '@farlink/contract/traffic/choices.ts';
import { type TrafficKind, trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { sql } from 'kysely';
import type { ExportFormat } from '../../db/column-types.ts';
import { type TrafficQuery, trafficQuery } from '../../domain/traffic-query/traffic-query.ts';
import { rowsSql } from '../../domain/traffic-query/traffic-rows.ts';
import { sumsOf } from '../../domain/traffic-query/traffic-sums.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { ExportBuilder, ExportBuilders } from '../../kit/export/export-job.ts';
import type { Derived } from '../../kit/export/export-rows.ts';
import { refuseEmpty, requestExport } from '../../kit/export/export-task.ts';
import { orderOf, refuseCostlySort } from './list-traffic.ts';
import { namedSql, percentOf, protocolNames } from './traffic-names.ts';

/** The label of a kind is the title of its export. */
const titleOf = ({ id: kind }: TrafficKind) => dataType.find(({ id }) => id === kind)?.label ?? ([kind, kind] as const);

export interface Request {
  readonly format?: ExportFormat | null | undefined;
}

/** The period is fixed by the request, so that the file has the rows that the list showed. An empty list is refused. */
export const exportTraffic = async (ctx: Ctx, kind: TrafficKind, input: Request) => {
  const raw: Values = { ...input };
  const filters = isRecord(raw.filters) ? raw.filters : {};
  const query = await trafficQuery(ctx.db, kind, { me: ctx.me, now: ctx.now(), filters });
  await refuseEmpty(ctx.db, sql`(${rowsSql(query)})`);
  await refuseCostlySort(ctx.db, query, typeof raw.orderby === 'string' ? raw.orderby : undefined);
  const { start, end } = query.period;
  const fixed = { ...filters, stat_by: query.stat, time_start: start, time_end: end };
  return requestExport(ctx, {
    call: trafficCalls[kind.id].export,
    title: titleOf(kind),
    format: input.format,
    input: { ...raw, filters: fixed },
  });
};

/** Columns of an export that the database does not send. */
const derivedOf = (query: TrafficQuery, orderby: string | undefined, lang: Lang, sum: number): Record<string, Derived> => {
  const total = (up: unknown, down: unknown) => Number(up) + Number(down);
  const bytes = ['up_bytes', 'down_bytes'] as const;
  const names = protocolNames(query, orderby, lang);
  return {
    total_bytes: { from: bytes, value: total },
    ...(!query.kind.isDpi && { link: { from: ['link'], value: (link) => linkName(String(link)) } }),
    ...(query.kind.isDpi && { percent: { from: bytes, value: (up, down) => percentOf(total(up, down), sum) } }),
    ...(names && {
      protocol_name: { from: ['protocol_id'], value: names.protocol_name },
      category_name: { from: ['protocol_id'], value: names.category_name },
    }),
  };
};

const builderOf =
  (kind: TrafficKind): ExportBuilder =>
  async (deps, { me, lang }, { filters, orderby }) => {
    const query = await trafficQuery(deps.db, kind, { me, now: deps.clock.now(), filters });
    const { up_bytes, down_bytes } = kind.isDpi ? await sumsOf(deps.db, query) : { up_bytes: 0, down_bytes: 0 };
    // The query has applied the filters.
    const resource: Resource = { ...trafficCalls[kind.id].list.resource, filters: [] };
    const rows = namedSql(query, rowsSql(query), { lang, total: up_bytes + down_bytes, orderby });
    return {
      query: sql`(${rows})`,
      resource,
      order: orderOf(query, orderby),
      derived: derivedOf(query, orderby, lang, up_bytes + down_bytes),
    };
  };

export const trafficExports: ExportBuilders = Object.fromEntries(
  Object.values(trafficKinds).map((kind) => [operateKey(trafficCalls[kind.id].export), builderOf(kind)]),
);
