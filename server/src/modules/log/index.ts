import { assignLogCalls } from '@farlink/contract/device/assign-log.ts';
import { fenceStatusSendCalls } from '@farlink/contract/device/fence-status-send.ts';
import { accountSyncLogCalls } from '@farlink/contract/log/account-sync-log.ts';
import { apLinkLogCalls } from '@farlink/contract/log/ap-link-log.ts';
import { dockerExportCalls } from '@farlink/contract/log/docker-export-log.ts';
import { dockerCalls } from '@farlink/contract/log/docker-log.ts';
import { linkLogCalls } from '@farlink/contract/log/link-log.ts';
import { logCalls as calls } from '@farlink/contract/log/operator-log.ts';
import { userAppLogCalls } from '@farlink/contract/log/user-app-log.ts';
import { wanChangeLogCalls } from '@farlink/contract/log/wan-change-log.ts';
import { bind, bindAll, fromReplica } from '../../kit/http/serve.ts';
import { listAccountSyncLog } from './account-sync-log.ts';
import { listApLinkLog } from './ap-link-log.ts';
import { exportAssignments, listAssignExports, listAssignments } from './assign-log.ts';
import { listDockerExports, removeDockerExport, removeDockerExports, retryDockerExport } from './docker-export-log.ts';
import { collectDocker, exportDockerLog, listDockerLog } from './docker-log.ts';
import { exportLog } from './export-log.ts';
import { listFenceChanges } from './fence-status-send.ts';
import { listLinkLog } from './link-log.ts';
import { listChildLog, listOwnLog, readLog } from './operator-log.ts';
import { listUserAppLog } from './user-app-log.ts';
import { listWanChanges } from './wan-change-log.ts';

export const logBindings = fromReplica([
  ...bindAll(calls, { own: listOwnLog, children: listChildLog, read: readLog, export: exportLog }),
  bind(accountSyncLogCalls.list, listAccountSyncLog),
  bind(userAppLogCalls.list, listUserAppLog),
  bind(linkLogCalls.list, listLinkLog),
  bind(apLinkLogCalls.list, listApLinkLog),
  bind(wanChangeLogCalls.list, listWanChanges),
  bind(fenceStatusSendCalls.list, listFenceChanges),
  ...bindAll(assignLogCalls, { list: listAssignments, export: exportAssignments, exports: listAssignExports }),
  ...bindAll(dockerCalls, { list: listDockerLog, collect: collectDocker, export: exportDockerLog }),
  ...bindAll(dockerExportCalls, {
    list: listDockerExports,
    retry: retryDockerExport,
    remove: removeDockerExport,
    removeMany: removeDockerExports,
  }),
]);
