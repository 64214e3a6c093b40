import { rowsOf } from '@farlink/gateway/kit/document.ts';
import { flag, int, list, obj, oneOf, str } from '@farlink/gateway/protocol/shape.ts';
import type { GatewayInternals } from '../gateway-internals.ts';
import { label, operation, type Run } from './operation.ts';
import { done, fail } from './result.ts';

const names = ['router', 'ac', 'antenna', 'telnet', 'modem', 'acu'] as const;

/** A modem or antenna is identified by its row. */
const isThere = (gateway: GatewayInternals, service: string | undefined, target: string): boolean => {
  const [section, key] = service === 'modem' ? ['satellite_route_modem', 'name'] : ['satellite_route_antenna', 'antenna'];
  return rowsOf(gateway.sections.doc(section)).some((row) => row[key] === target);
};

/** A tunnel is identified by the id of the command that opened it. */
const open = operation(
  obj(
    { host: str(255), port: int(1, 65_535), user: str(64), token: str(255), fp: str(128), services: list(oneOf(names), 4) },
    { ttl: int(1, 86_400), any: flag, target: str(64), proto: oneOf(['telnet', 'ssh']), to: int(1, 65_535) },
  ),
  async (gateway, { ttl = 900, any, target, ...order }, { id }) => {
    if (gateway.rate(any) === undefined) return fail('not on this link');
    if (target !== undefined && !isThere(gateway, order.services[0], target)) return fail('no such target');
    try {
      await gateway.tunnels.open({ ...order, ttl, id });
      return done({ services: order.services });
    } catch (error) {
      return fail(error instanceof Error ? error.message : String(error));
    }
  },
);

const close = operation(obj({ open: label }), (gateway, args) => {
  gateway.tunnels.close(args.open);
  return done();
});

export const remoteOperations: Readonly<Record<string, Run>> = { 'remote.open': open, 'remote.close': close };
