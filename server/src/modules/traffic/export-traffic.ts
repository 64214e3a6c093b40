import { linkName } from '@farlink/contract/device/link-name.ts';
import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { dataType } from '@farlink/contract/traffic/choices.ts';
import { flowExportStarts } from '@farlink/contract/traffic/flow-export.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import type { trafficCalls as calls } from '@farlink/contract/traffic/traffic.ts';
import { sql } from 'kysely';
import type { ExportFormat } from '../../db/column-types.ts';
import { type TrafficQuery, trafficQuery } from '../../domain/traffic-query/traffic-query.ts';
import { rowsSql } from '../../domain/traffic-query/traffic-rows.ts';
import { sumsOf } from '../../domain/traffic-query/traffic-sums.ts';
import type { Ctx } from '../../kit/ctx.ts';
import type { ExportBuilder, ExportBuilders } from '../../kit/export/export-job.ts';
import type { Derived } from '../../kit/export/export-rows.ts';
import { refuseEmpty, requestExport } from '../../kit/export/export-task.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { orderOf, refuseCostlySort } from './list-traffic.ts';
import { namedSql, percentOf, protocolNames } from './traffic-names.ts';

/** The label of a kind as the title of its export. */
const titleOf = (kind: TrafficKindId) => dataType.find(({ id }) => id === kind)?.label ?? ([kind, kind] as const);

interface Request {
  readonly format?: ExportFormat | null | undefined;
}

/** The period is fixed by the request, so that the file has the rows that the list showed. An empty list is refused. */
const exportTraffic = async (ctx: Ctx, kind: TrafficKindId, input: Request) => {
  const raw: Values = { ...input };
  const filters = isRecord(raw.filters) ? raw.filters : {};
  const query = await trafficQuery(ctx.db, trafficKinds[kind], { me: ctx.me, now: ctx.now(), filters });
  await refuseEmpty(ctx.db, sql`(${rowsSql(query)})`);
  await refuseCostlySort(ctx.db, query, typeof raw.orderby === 'string' ? raw.orderby : undefined);
  const { start, end } = query.period;
  const fixed = { ...filters, stat_by: query.stat, time_start: start, time_end: end };
  return requestExport(ctx, {
    call: flowExportStarts[kind],
    title: titleOf(kind),
    format: input.format,
    input: { ...raw, filters: fixed },
  });
};

export const exportBusinessFlow: Handler<typeof calls.exportBusinessFlow> = (ctx, input) => exportTraffic(ctx, 'flow_usr', input);
export const exportManageFlow: Handler<typeof calls.exportManageFlow> = (ctx, input) => exportTraffic(ctx, 'flow_mgt', input);
export const exportBusinessDpi: Handler<typeof calls.exportBusinessDpi> = (ctx, input) => exportTraffic(ctx, 'dpi_usr', input);
export const exportManageDpi: Handler<typeof calls.exportManageDpi> = (ctx, input) => exportTraffic(ctx, 'dpi_mgt', input);

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
  (kind: TrafficKindId): ExportBuilder =>
  async (deps, { me, lang }, { filters, orderby }) => {
    const query = await trafficQuery(deps.db, trafficKinds[kind], { me, now: deps.clock.now(), filters });
    const { up_bytes, down_bytes } = trafficKinds[kind].isDpi ? await sumsOf(deps.db, query) : { up_bytes: 0, down_bytes: 0 };
    // The query has applied the filters.
    const resource: Resource = { ...flowExportStarts[kind].resource, filters: [] };
    const rows = namedSql(query, rowsSql(query), { lang, total: up_bytes + down_bytes, orderby });
    return {
      query: sql`(${rows})`,
      resource,
      order: orderOf(query, orderby),
      derived: derivedOf(query, orderby, lang, up_bytes + down_bytes),
    };
  };

export const trafficExports: ExportBuilders = Object.fromEntries(
  dataType.map(({ id }) => [operateKey(flowExportStarts[id]), builderOf(id)]),
);
