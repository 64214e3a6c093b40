import { int, isObject, obj, oneOf, type Shape, str } from '@farlink/gateway/protocol/shape.ts';
import { type FileTask, todos } from '../files.ts';
import { label, operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const task = label;
const size = int(0, Number.MAX_SAFE_INTEGER);
const sha256 = str(64, /^[0-9a-fA-F]{64}$/);
export const source = { url: str(4000, /^https?:\/\//), size, sha256 };

const order = obj({ ...source, task, name: str(255) }, { path: str(1000) });
const what = oneOf(todos);
/** Field `then` of the wire is renamed, because an object with this field would be a thenable. */
const fileTask: Shape<FileTask> = {
  read: (raw, at) => ({ path: '/', ...order.read(raw, at), todo: what.read(isObject(raw) ? raw.then : undefined, 'then') }),
};

const get = operation(fileTask, (gateway, file, act) => gateway.files.get(file, act));

const running = (act: (download: { stop(): void; pause(): void; resume(): void }) => void, otherwise: 'done' | 'fail') =>
  operation(obj({ task }), (gateway, args) => {
    const download = gateway.files.of(args.task);
    if (!download) return otherwise === 'done' ? done() : fail('no such task');
    act(download);
    return done();
  });

const remove = operation(obj({ task }), (gateway, args) => {
  gateway.files.remove(args.task);
  return done(undefined, 255);
});

export const fileOperations: Readonly<Record<string, Run>> = {
  'file.get': get,
  'file.stop': running((d) => d.stop(), 'done'),
  'file.pause': running((d) => d.pause(), 'fail'),
  'file.resume': running((d) => d.resume(), 'fail'),
  'file.delete': remove,
};
