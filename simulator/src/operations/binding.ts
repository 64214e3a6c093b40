import { obj, str } from '@farlink/gateway/protocol/shape.ts';
import { operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const key = str(128, /^[!-~]{16,128}$/);

/** Oldest firmware that supports a transfer. */
export const transferFrom = '03.00.00';

const transfer = operation(obj({ key }, { code: str(128) }), async (gateway, args) => {
  if (!gateway.firmware.isAtLeast(transferFrom)) return fail('unsupported');
  const fault = gateway.faults.transfer;
  if (fault === 'refuse') return fail('refused');
  if (fault === 'ignore') return undefined;
  if (fault === 'vanish') {
    gateway.power('cut');
    return undefined;
  }
  gateway.people.forget();
  gateway.keys.prepare(args.key);
  void gateway.flushed().then(() => gateway.reconnect());
  return done();
});

const setKey = operation(obj({ key }), (gateway, args) => {
  gateway.keys.prepare(args.key);
  void gateway.flushed().then(() => gateway.reconnect());
  return done();
});

const clear: Run = (gateway) => {
  gateway.keys.clear();
  return done();
};

export const bindingOperations: Readonly<Record<string, Run>> = { 'vno.transfer': transfer, 'vno.clear': clear, 'key.set': setKey };
