import type { Db, Deps } from '../kit/deps.ts';

/** The VNO whose portal is shown. */
export interface PortalAgent {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly path: string;
}

const columns = ['id', 'code', 'name', 'path'] as const;

export const agentById = (db: Db, id: number): Promise<PortalAgent | undefined> =>
  db.selectFrom('agent').select(columns).where('id', '=', id).executeTakeFirst();

/** Seconds for which the first page uses what it has read. */
const keepS = 5;
const mostKept = 1000;

/** Keeps data that is the same for all visitors of a portal: it is read at most once in some seconds. */
export const shortCache = <T>() => {
  const caches = new WeakMap<Deps, Map<string, { readonly at: number; readonly value: Promise<T> }>>();
  return (deps: Deps, key: string, read: () => Promise<T>): Promise<T> => {
    const cache = caches.get(deps) ?? new Map<string, { readonly at: number; readonly value: Promise<T> }>();
    caches.set(deps, cache);
    const known = cache.get(key);
    const now = deps.clock.now();
    if (known && now - known.at < keepS && now >= known.at) return known.value;
    const value = read();
    if (cache.size >= mostKept) cache.clear();
    cache.set(key, { at: now, value });
    value.catch(() => cache.delete(key));
    return value;
  };
};

const agents = shortCache<PortalAgent | undefined>();

/** Merchant codes are compared as typed in any case. */
export const agentByCode = (deps: Deps, code: string): Promise<PortalAgent | undefined> =>
  agents(deps, code.toLowerCase(), () =>
    deps.db
      .selectFrom('agent')
      .select(columns)
      .where((eb) => eb(eb.fn('lower', ['code']), '=', code.toLowerCase()))
      .executeTakeFirst(),
  );
