import type { Network } from '../../../contract/src/protocol/network.ts';
import { linkClasses } from './link.ts';

interface Operation {
  /** Transfers many bytes, so it never starts on a link billed by volume. */
  readonly heavy?: true;
  /** Can be sent on any link. */
  readonly critical?: true;
}

export const operations = {
  'sys.reboot': { critical: true },
  'sys.upgrade': { heavy: true },
  'sys.rollback': {},
  'cfg.get': {},
  'page.read': { critical: true },
  'page.run': {},
  'page.stop': { critical: true },
  'file.get': { heavy: true },
  'file.stop': { critical: true },
  'file.pause': { critical: true },
  'file.resume': { critical: true },
  'file.delete': {},
  'dpi.send': { heavy: true },
  'dpi.stop': { critical: true },
  'docker.info': {},
  'docker.logs': { heavy: true },
  'docker.ctl': {},
  'backup.make': { heavy: true },
  'backup.restore': { heavy: true },
  'link.switch': { critical: true },
  'link.lock': { critical: true },
  'user.kick': { critical: true },
  'user.login': { critical: true },
  'ap.ctl': {},
  'remote.open': { heavy: true },
  'remote.close': { critical: true },
  'vno.transfer': { critical: true },
  'vno.clear': { critical: true },
  'key.set': { critical: true },
  'diag.ping': { critical: true },
  'diag.trace': {},
  'diag.capture': { heavy: true },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof operations;

export const isOperation = (op: string): op is OperationName => Object.hasOwn(operations, op);

/** Operations that can be sent on any link. */
export const criticalOperations: readonly string[] = Object.entries<Operation>(operations).flatMap(([op, { critical }]) =>
  critical ? [op] : [],
);

export type LinkWait = 'link_volume' | 'link_size';

/** Light operations, and those that the operator allowed, have `any` in their arguments. */
const isAllowedOnAnyLink = (op: string, args: Readonly<Record<string, unknown>> | undefined): boolean => {
  const known: Operation | undefined = isOperation(op) ? operations[op] : undefined;
  return known?.critical === true || (known !== undefined && args?.any === true);
};

/** Reason why a command or section must wait for another link; undefined: none. First sending and resending use the same check. */
export const linkWait = (network: Network, bytes: number, op?: string, args?: Readonly<Record<string, unknown>>): LinkWait | undefined => {
  const link = linkClasses[network];
  if (!link.allowsHeavy && op !== undefined && !isAllowedOnAnyLink(op, args)) return 'link_volume';
  return bytes > link.downBytes ? 'link_size' : undefined;
};
