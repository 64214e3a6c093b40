import { operateKey } from '@farlink/contract/kit/endpoint.ts';
import type { Resource } from '@farlink/contract/kit/resource.ts';
import { dataType } from '@farlink/contract/traffic/choices.ts';
import { flowExportCalls as calls, flowExportKeys } from '@farlink/contract/traffic/flow-export.ts';
import type { TrafficKindId } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { sql } from 'kysely';
import { sessionInfoOf } from '../../domain/rights.ts';
import { exportLog, removeExport, removeExports, retryExport, withConditions } from '../../kit/export/export-log.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { pageOf } from '../../kit/list/page.ts';

const kindOf = sql<TrafficKindId>`case export_task.call ${sql.join(
  dataType.map(({ id }) => sql`when ${operateKey(trafficCalls[id].export)} then ${id}::text`),
  sql` `,
)} end`;

/** Fields of all kinds, so that one description serves all. */
const resource: Resource = {
  ...trafficCalls.flow_usr.list.resource,
  filters: ['stat_by', 'time', 'account', 'service', 'protocol_id', 'device_id', 'network', 'device_group_id', 'vno_id', 'total_bytes'],
};

export const listFlowExports: Handler<typeof calls.list> = async (ctx, input) =>
  withConditions(ctx, resource, await pageOf(ctx.db, calls.list, input, exportLog(ctx, flowExportKeys).select(kindOf.as('data_type'))));

export const retryFlowExport: Handler<typeof calls.retry> = (ctx, { id, format }) =>
  retryExport(ctx, flowExportKeys, id, sessionInfoOf, format);

export const removeFlowExport: Handler<typeof calls.remove> = (ctx, { id }) => removeExport(ctx, flowExportKeys, id);

export const removeFlowExports: Handler<typeof calls.removeMany> = (ctx, { ids }) => removeExports(ctx, flowExportKeys, ids);
