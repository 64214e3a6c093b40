import { sql } from 'kysely';
import type { Db } from '../kit/deps.ts';
import { type Peer, readPeer } from '../kit/process/peers.ts';
import { isAlive } from '../kit/process/process-node.ts';

export interface SessionPeer {
  /** HTTP server of the process that holds the tunnel. */
  readonly console: Peer;
  /** Its server of web pages behind gateways. */
  readonly web: Peer | undefined;
}

export type SessionKey = { readonly label: string } | { readonly id: number };

const cacheMs = 5000;
const maxCached = 1000;

/** Finds sessions whose tunnels other processes hold. A session never moves, so results are cached for some seconds. */
export const openOtherProcesses = (db: Db, node: string) => {
  const cached = new Map<string, { readonly peer: SessionPeer; readonly until: number }>();
  return async (key: SessionKey): Promise<SessionPeer | undefined> => {
    const name = 'label' in key ? key.label : String(key.id);
    const found = cached.get(name);
    if (found && found.until > performance.now()) return found.peer;
    const row = await db
      .selectFrom('remote_session as r')
      .innerJoin('process_node as p', (join) => join.on(sql<boolean>`p.id::text = r.node`))
      .select(['p.address', 'p.remote_web_port'])
      .where((eb) => ('label' in key ? eb('r.label', '=', key.label) : eb('r.id', '=', key.id)))
      .where('r.node', '<>', node)
      .where(isAlive)
      .executeTakeFirst();
    if (!row || row.address === null) return undefined;
    const console = readPeer(row.address);
    const peer = { console, web: row.remote_web_port === null ? undefined : { host: console.host, port: row.remote_web_port } };
    if (cached.size >= maxCached) cached.clear();
    cached.set(name, { peer, until: performance.now() + cacheMs });
    return peer;
  };
};
