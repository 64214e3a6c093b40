import type { Ctx } from '../../kit/ctx.ts';
import type { Deps } from '../../kit/deps.ts';

/** Seconds. Older figures are read again; the oldest are not shown. */
const [refreshS, oldestS] = [10, 60];
const maxScopes = 200;

interface Cached<T> {
  readonly value: T;
  readonly readAt: number;
}

interface Scopes<T> {
  readonly cached: Map<string, Cached<T>>;
  readonly refreshing: Set<string>;
}

const scopeOf = ({ me: { agent_path, rights } }: Ctx) => JSON.stringify([agent_path, rights.vno_ids, rights.device_ids]);

/**
 * Caches the figures of large scopes, because counting a million accounts takes longer than a page may. A list of that size shows no exact
 * total either. Figures older than ten seconds are read again in the background; after a minute the caller waits for them.
 */
export const cacheLarge = <T>(isLarge: (figures: T) => boolean, read: (ctx: Ctx) => Promise<T>): ((ctx: Ctx) => Promise<T>) => {
  const ofServer = new WeakMap<Deps, Scopes<T>>();
  const scopesOf = (deps: Deps) => {
    const known = ofServer.get(deps) ?? { cached: new Map(), refreshing: new Set() };
    ofServer.set(deps, known);
    return known;
  };
  const readNow = async (ctx: Ctx, { cached }: Scopes<T>) => {
    const [scope, readAt] = [scopeOf(ctx), ctx.now()];
    const value = await read(ctx);
    cached.delete(scope);
    if (isLarge(value)) cached.set(scope, { value, readAt });
    for (const oldest of [...cached.keys()].slice(0, -maxScopes)) cached.delete(oldest);
    return value;
  };
  const refresh = async (ctx: Ctx, scopes: Scopes<T>) => {
    const scope = scopeOf(ctx);
    if (scopes.refreshing.has(scope)) return;
    scopes.refreshing.add(scope);
    try {
      await readNow(ctx, scopes);
    } catch (error) {
      ctx.deps.log.error({ err: error }, 'dashboard figures not refreshed');
    } finally {
      scopes.refreshing.delete(scope);
    }
  };
  return async (ctx) => {
    const scopes = scopesOf(ctx.deps);
    const last = scopes.cached.get(scopeOf(ctx));
    const age = last ? ctx.now() - last.readAt : Infinity;
    if (!last || age > oldestS) return readNow(ctx, scopes);
    if (age >= refreshS) void refresh(ctx, scopes);
    return last.value;
  };
};
