import type { Pool } from 'pg';
import type { SessionInfo } from '../../db/column-types.ts';
import { openListener } from '../listener.ts';

/** Notification channel for ended sessions. */
export const sessionChannel = 'farlink_session';

export interface KnownSession {
  readonly id: number;
  readonly me: SessionInfo;
  seenAt: number;
}

export interface SessionCache {
  get(hash: string): KnownSession | undefined;
  /** Call it before the database read. The result may be cached only if no session has ended meanwhile. */
  version(): number;
  put(hash: string, session: KnownSession, version: number): void;
  forget(): void;
  close(): void;
}

const caches = new Map<Pool, SessionCache>();
const maxSessions = 10_000;
const retryMs = 1000;

/** While it is open, each session is read once; without it, on every request. */
export const openSessionCache = (pool: Pool): SessionCache => {
  const known = new Map<string, KnownSession>();
  let ends = 0;
  let triedAt = 0;
  const forget = () => {
    ends++;
    known.clear();
  };
  const listener = openListener(pool, sessionChannel, forget);
  /** Notifications may be lost while the listener is down, so the cache is cleared. */
  const listen = () => {
    const now = performance.now();
    if (now - triedAt < retryMs) return;
    triedAt = now;
    forget();
    listener.ensure().then(forget, () => {});
  };
  const cache: SessionCache = {
    get: (hash) => {
      if (listener.isListening()) return known.get(hash);
      listen();
      return undefined;
    },
    version: () => ends,
    put: (hash, session, version) => {
      if (version !== ends || !listener.isListening()) return;
      if (known.size >= maxSessions) known.clear();
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

/** Called when sessions are ended, so that this process does not have to wait for the notification. */
export const forgetSessions = () => {
  for (const cache of caches.values()) cache.forget();
};
