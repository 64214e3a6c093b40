import { portalSendCalls } from '@farlink/contract/market/portal-send.ts';
import { bindAll } from '../../kit/http/serve.ts';
import { listTasks, stopSend } from './portal-task.ts';
import { estimateSend, sendPortal } from './send.ts';

export const portalSendBindings = [
  ...bindAll(portalSendCalls, { send: sendPortal, estimate: estimateSend, stop: stopSend, tasks: listTasks }),
];
