import { dpiRequest, dpiStop } from '@farlink/gateway/protocol/dpi.ts';
import { operation, type Run } from './operation.ts';
import { done } from './result.ts';

const send = operation(dpiRequest, (gateway, order, act) =>
  order.put === undefined ? gateway.dpi.estimate(order) : gateway.dpi.send(order, order.put, act),
);

const stop = operation(dpiStop, (gateway, { task }) => {
  gateway.dpi.forget(task);
  return done();
});

export const dpiOperations: Readonly<Record<string, Run>> = { 'dpi.send': send, 'dpi.stop': stop };
