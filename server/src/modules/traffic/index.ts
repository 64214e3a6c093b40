import type { Values } from '@farlink/contract/kit/values.ts';
import { flowExportCalls } from '@farlink/contract/traffic/flow-export.ts';
import { type TrafficKind, trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { rankOf, trendOf } from '../../domain/traffic-query/traffic-charts.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { bindAll, fromReplica } from '../../kit/http/serve.ts';
import type { ListInput } from '../../kit/list/listing.ts';
import { exportTraffic, type Request } from './export-traffic.ts';
import { listFlowExports, removeFlowExport, removeFlowExports, retryFlowExport } from './flow-export.ts';
import { listTraffic } from './list-traffic.ts';

const handlersOf = (kind: TrafficKind) => ({
  list: <Row>(ctx: Ctx, input: ListInput) => listTraffic<Row>(ctx, kind, input),
  trend: (ctx: Ctx, input: Values) => trendOf(ctx, kind, input),
  rank: (ctx: Ctx, input: Values) => rankOf(ctx, kind, input),
  export: (ctx: Ctx, input: Request) => exportTraffic(ctx, kind, input),
});

export const trafficBindings = fromReplica([
  ...Object.values(trafficKinds).flatMap((kind) => bindAll(trafficCalls[kind.id], handlersOf(kind))),
  ...bindAll(flowExportCalls, { list: listFlowExports, retry: retryFlowExport, remove: removeFlowExport, removeMany: removeFlowExports }),
]);
