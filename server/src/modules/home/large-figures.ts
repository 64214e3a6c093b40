import type { Ctx } from '../../kit/ctx.ts';
import type { Deps } from '../../kit/deps.ts';

/** Seconds. Older figures are read again; the oldest are not shown. */
const [refreshS, oldestS] = [10, 60];
const mostScopes = 200;

interface Kept<T> {
  readonly value: T;
  readonly readAt: number;
}

interface Scopes<T> {
  readonly kept: Map<string, Kept<T>>;
  readonly refreshing: Set<string>;
}

const scopeOf = ({ me: { agent_path, rights } }: Ctx) => JSON.stringify([agent_path, rights.vno_ids, rights.device_ids]);

/**
 * Keeps the figures of large scopes, because counting a million accounts takes longer than a page may. A list of that size shows no exact
 * total either. Figures older than ten seconds are read again in the background; after a minute the caller waits for them.
 */
export const keepLarge = <T>(isLarge: (figures: T) => boolean, read: (ctx: Ctx) => Promise<T>): ((ctx: Ctx) => Promise<T>) => {
  const ofServer = new WeakMap<Deps, Scopes<T>>();
  const scopesOf = (deps: Deps) => {
    const known = ofServer.get(deps) ?? { kept: new Map(), refreshing: new Set() };
    ofServer.set(deps, known);
    return known;
  };
  const readNow = async (ctx: Ctx, { kept }: Scopes<T>) => {
    const [scope, readAt] = [scopeOf(ctx), ctx.now()];
    const value = await read(ctx);
    kept.delete(scope);
    if (isLarge(value)) kept.set(scope, { value, readAt });
    for (const oldest of [...kept.keys()].slice(0, -mostScopes)) kept.delete(oldest);
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
    const last = scopes.kept.get(scopeOf(ctx));
    const age = last ? ctx.now() - last.readAt : Infinity;
    if (!last || age > oldestS) return readNow(ctx, scopes);
    if (age >= refreshS) void refresh(ctx, scopes);
    return last.value;
  };
};
