import { int, list, obj, oneOf, str } from '@farlink/gateway/protocol/shape.ts';
import { done, fail, label, operation, type Run } from './operation.ts';

const names = ['router', 'ac', 'antenna', 'telnet'] as const;

/** A tunnel is known by the command that opened it. */
const open = operation(
  obj(
    { host: str(255), port: int(1, 65_535), user: str(64), token: str(255), fp: str(128), services: list(oneOf(names), 4) },
    { ttl: int(1, 86_400) },
  ),
  async (box, { ttl = 900, ...order }, { id }) => {
    if (box.rate() === undefined) return fail('not on this link');
    try {
      await box.tunnels.open({ ...order, ttl, id });
      return done({ services: order.services });
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
  },
);

const close = operation(obj({ open: label }), (box, args) => {
  box.tunnels.close(args.open);
  return done();
});

export const remoteOperations: Readonly<Record<string, Run>> = { 'remote.open': open, 'remote.close': close };
