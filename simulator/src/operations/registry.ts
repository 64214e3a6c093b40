import { dpiRequest, dpiStop } from '@farlink/gateway/protocol/dpi.ts';
import { bindingOperations } from './binding.ts';
import { diagnosisOperations } from './diagnosis.ts';
import { dockerOperations } from './docker.ts';
import { fileOperations } from './files.ts';
import { networkOperations } from './network.ts';
import { operation, type Run } from './operation.ts';
import { pageOperations } from './pages.ts';
import { remoteOperations } from './remote.ts';
import { done } from './result.ts';
import { systemOperations } from './system.ts';

const send = operation(dpiRequest, (gateway, order, act) =>
  order.put === undefined ? gateway.dpi.estimate(order) : gateway.dpi.send(order, order.put, act),
);

const stop = operation(dpiStop, (gateway, { task }) => {
  gateway.dpi.forget(task);
  return done();
});

const dpiOperations: Readonly<Record<string, Run>> = { 'dpi.send': send, 'dpi.stop': stop };

/** All operations of a simulated gateway; others get the reply 'unsupported'. */
export const operations: Readonly<Record<string, Run>> = {
  ...systemOperations,
  ...fileOperations,
  ...dockerOperations,
  ...networkOperations,
  ...bindingOperations,
  ...remoteOperations,
  ...diagnosisOperations,
  ...pageOperations,
  ...dpiOperations,
};
