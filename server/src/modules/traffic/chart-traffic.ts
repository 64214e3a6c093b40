import { trafficKinds } from '@farlink/contract/traffic/kinds.ts';
import type { trafficCalls as calls } from '@farlink/contract/traffic/traffic.ts';
import { rankOf, trendOf } from '../../domain/traffic-query/traffic-charts.ts';
import type { Handler } from '../../kit/http/serve.ts';

export const businessFlowTrend: Handler<typeof calls.businessFlowTrend> = (ctx, input) => trendOf(ctx, trafficKinds.flow_usr, input);
export const manageFlowTrend: Handler<typeof calls.manageFlowTrend> = (ctx, input) => trendOf(ctx, trafficKinds.flow_mgt, input);
export const businessDpiTrend: Handler<typeof calls.businessDpiTrend> = (ctx, input) => trendOf(ctx, trafficKinds.dpi_usr, input);
export const manageDpiTrend: Handler<typeof calls.manageDpiTrend> = (ctx, input) => trendOf(ctx, trafficKinds.dpi_mgt, input);
export const businessDpiRank: Handler<typeof calls.businessDpiRank> = (ctx, input) => rankOf(ctx, trafficKinds.dpi_usr, input);
export const manageDpiRank: Handler<typeof calls.manageDpiRank> = (ctx, input) => rankOf(ctx, trafficKinds.dpi_mgt, input);
