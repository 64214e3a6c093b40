import { createHash } from 'node:crypto';
import type { Db, Deps } from '../deps.ts';
import { isAlive } from './process-node.ts';

/** HTTP server of another process. */
export interface Peer {
  readonly host: string;
  readonly port: number;
}

/** Splits host:port, also with an IPv6 address in brackets. */
export const readPeer = (address: string): Peer => {
  const at = address.lastIndexOf(':');
  return { host: address.slice(0, at).replace(/^\[|\]$/g, ''), port: Number(address.slice(at + 1)) };
};

interface ApiNode {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

const readNodes = async (db: Db): Promise<ApiNode[]> => {
  const rows = await db
    .selectFrom('process_node')
    .select(['id', 'name', 'address'])
    .where('address', 'is not', null)
    .where(isAlive)
    .execute();
  return rows.flatMap(({ address, ...row }) => (address === null ? [] : [{ ...row, address }]));
};

const cacheMs = 2000;
const cache = new WeakMap<Deps, { readonly nodes: Promise<ApiNode[]>; readonly until: number }>();

const nodesOf = (deps: Deps): Promise<ApiNode[]> => {
  const known = cache.get(deps);
  if (known && known.until > performance.now()) return known.nodes;
  const nodes = readNodes(deps.db);
  cache.set(deps, { nodes, until: performance.now() + cacheMs });
  nodes.catch(() => cache.delete(deps));
  return nodes;
};

const weightOf = (name: string, key: string) => createHash('sha256').update(`${name} ${key}`).digest('hex');

/**
 * The process that handles a key, chosen by rendezvous hashing: all processes find the same one, and only the keys of a process that starts or
 * ends move. Names are compared, so a process with a fixed PROCESS_NAME gets its keys back after a restart. Undefined: this process.
 */
export const ownerOf = async (deps: Deps, key: string): Promise<Peer | undefined> => {
  if (deps.processId === undefined) return undefined;
  const [first] = (await nodesOf(deps))
    .map((node) => ({ node, weight: weightOf(node.name, key) }))
    .sort((a, b) => (a.weight < b.weight ? 1 : -1));
  return !first || first.node.id === deps.processId ? undefined : readPeer(first.node.address);
};
