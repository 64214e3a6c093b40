import { findBrand } from '../domain/brand/brand.ts';
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

/** Seconds for which data is cached. */
const cacheS = 5;
const maxCached = 1000;

/** Caches data that is the same for all visitors of a portal. */
export const shortCache = <T>() => {
  const caches = new WeakMap<Deps, Map<string, { readonly at: number; readonly value: Promise<T> }>>();
  return (deps: Deps, key: string, read: () => Promise<T>): Promise<T> => {
    const cache = caches.get(deps) ?? new Map<string, { readonly at: number; readonly value: Promise<T> }>();
    caches.set(deps, cache);
    const found = cache.get(key);
    const now = deps.clock.now();
    if (found && now - found.at < cacheS && now >= found.at) return found.value;
    const value = read();
    if (cache.size >= maxCached) cache.clear();
    cache.set(key, { at: now, value });
    value.catch(() => cache.delete(key));
    return value;
  };
};

const logos = shortCache<string | null>();

/** Logo of the VNO or of the nearest VNO above, as a path of the portal: `logo/{name}`. */
export const logoPath = (deps: Deps, agentId: number): Promise<string | null> =>
  logos(deps, String(agentId), async () => (await findBrand(deps.db, agentId))?.logo ?? null);

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

export const cachedAgent = (deps: Deps, id: number): Promise<PortalAgent | undefined> =>
  agents(deps, `~${id}`, () => agentById(deps.db, id));
