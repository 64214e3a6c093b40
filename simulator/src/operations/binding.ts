import { obj, str } from '@farlink/gateway/protocol/shape.ts';
import { done, fail, operation, type Run } from './operation.ts';

const key = str(128, /^[!-~]{16,128}$/);

/** From which firmware on a gateway can change hands by itself. */
export const transferFrom = '03.00.00';

const transfer = operation(obj({ key }, { code: str(128) }), async (box, args) => {
  if (!box.firmware.isAtLeast(transferFrom)) return fail('unsupported');
  const fault = box.faults.transfer;
  if (fault === 'refuse') return fail('refused');
  if (fault === 'ignore') return undefined;
  if (fault === 'vanish') {
    box.power('cut');
    return undefined;
  }
  box.users.forget();
  box.keys.prepare(args.key);
  void box.said().then(() => box.reconnect());
  return done();
});

const setKey = operation(obj({ key }), (box, args) => {
  box.keys.prepare(args.key);
  void box.said().then(() => box.reconnect());
  return done();
});

const clear: Run = (box) => {
  box.keys.clear();
  return done();
};

export const bindingOperations: Readonly<Record<string, Run>> = { 'vno.transfer': transfer, 'vno.clear': clear, 'key.set': setKey };
