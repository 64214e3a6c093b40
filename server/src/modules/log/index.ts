import { logCalls as calls } from '@farlink/contract/log/operator-log.ts';
import { bind } from '../../kit/serve.ts';
import { exportLog } from './export-log.ts';
import { listChildLog, listOwnLog, readLog } from './operator-log.ts';

export const logBindings = [
  bind(calls.own, listOwnLog),
  bind(calls.children, listChildLog),
  bind(calls.read, readLog),
  bind(calls.export, exportLog),
];
