import { logCalls as calls } from '@farlink/contract/log/operator-log.ts';
import { policyLogCalls } from '@farlink/contract/log/policy-log.ts';
import { syncLogCalls } from '@farlink/contract/log/sync-log.ts';
import { bind } from '../../kit/serve.ts';
import { exportLog } from './export-log.ts';
import { listChildLog, listOwnLog, readLog } from './operator-log.ts';
import { listPolicyLog } from './policy-log.ts';
import { listSyncLog } from './sync-log.ts';

export const logBindings = [
  bind(calls.own, listOwnLog),
  bind(calls.children, listChildLog),
  bind(calls.read, readLog),
  bind(calls.export, exportLog),
  bind(syncLogCalls.list, listSyncLog),
  bind(policyLogCalls.list, listPolicyLog),
];
