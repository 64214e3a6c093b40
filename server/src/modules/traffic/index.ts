import { flowExportCalls } from '@farlink/contract/traffic/flow-export.ts';
import { trafficCalls } from '@farlink/contract/traffic/traffic.ts';
import { bindAll, fromReplica } from '../../kit/http/serve.ts';
import { businessDpiRank, businessDpiTrend, businessFlowTrend, manageDpiRank, manageDpiTrend, manageFlowTrend } from './chart-traffic.ts';
import { exportBusinessDpi, exportBusinessFlow, exportManageDpi, exportManageFlow } from './export-traffic.ts';
import { listFlowExports, removeFlowExport, removeFlowExports, retryFlowExport } from './flow-export.ts';
import { listBusinessDpi, listBusinessFlow, listManageDpi, listManageFlow } from './list-traffic.ts';

export const trafficBindings = fromReplica([
  ...bindAll(trafficCalls, {
    businessFlow: listBusinessFlow,
    manageFlow: listManageFlow,
    businessDpi: listBusinessDpi,
    manageDpi: listManageDpi,
    businessFlowTrend,
    manageFlowTrend,
    businessDpiTrend,
    manageDpiTrend,
    businessDpiRank,
    manageDpiRank,
    exportBusinessFlow,
    exportManageFlow,
    exportBusinessDpi,
    exportManageDpi,
  }),
  ...bindAll(flowExportCalls, { list: listFlowExports, retry: retryFlowExport, remove: removeFlowExport, removeMany: removeFlowExports }),
]);
