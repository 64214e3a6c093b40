import type { Pool } from 'pg';
import type { SessionInfo } from '../../db/column-types.ts';
import { openListener } from '../http/listener.ts';

/** On which the database tells that sessions have ended, whoever ended them. */
export const sessionChannel = 'farlink_session';

export interface KnownSession {
  readonly id: number;
  readonly me: SessionInfo;
  seenAt: number;
}

export interface SessionCache {
  get(hash: string): KnownSession | undefined;
  /** To be called before the database is asked; what it answers may be kept only if no session has ended meanwhile. */
  version(): number;
  put(hash: string, session: KnownSession, version: number): void;
  forget(): void;
  close(): void;
}

const caches = new Map<Pool, SessionCache>();
const most = 10_000;
const retryMs = 1000;

/** As long as it is open, the sessions of a database are asked for once; without it, with every request. */
export const openSessionCache = (pool: Pool): SessionCache => {
  const known = new Map<string, KnownSession>();
  let ends = 0;
  let triedAt = 0;
  const forget = () => {
    ends++;
    known.clear();
  };
  const listener = openListener(pool, sessionChannel, forget);
  /** What happened while nobody listened is unknown, so what was known is forgotten. */
  const listen = () => {
    const now = performance.now();
    if (now - triedAt < retryMs) return;
    triedAt = now;
    forget();
    listener.ensure().then(forget, () => {});
  };
  const cache: SessionCache = {
    get: (hash) => {
      if (listener.hears()) return known.get(hash);
      listen();
      return undefined;
    },
    version: () => ends,
    put: (hash, session, version) => {
      if (version !== ends || !listener.hears()) return;
      if (known.size >= most) known.clear();
      known.set(hash, session);
    },
    forget,
    close: () => {
      caches.delete(pool);
      listener.close();
    },
  };
  caches.set(pool, cache);
  return cache;
};

export const sessionCacheOf = (pool: Pool) => caches.get(pool);

/** Whoever ends sessions says so here too: the next request of this process must not depend on how fast a notice travels. */
export const forgetSessions = () => {
  for (const cache of caches.values()) cache.forget();
};
