import type { Ctx } from '../../kit/ctx.ts';
import type { Deps } from '../../kit/deps.ts';
import { KeptFigures } from '../../kit/kept-figures.ts';

const scopeOf = ({ me: { agent_path, rights } }: Ctx) => JSON.stringify([agent_path, rights.vno_ids, rights.device_ids]);

/** Keeps the figures of large scopes. A list of that size shows no exact total either. */
export const cacheLarge = <T>(isLarge: (figures: T) => boolean, read: (ctx: Ctx) => Promise<T>): ((ctx: Ctx) => Promise<T>) => {
  const ofServer = new WeakMap<Deps, KeptFigures<T>>();
  return (ctx) => {
    const figures = ofServer.get(ctx.deps) ?? new KeptFigures(isLarge);
    ofServer.set(ctx.deps, figures);
    return figures.get({
      scope: scopeOf(ctx),
      now: ctx.now(),
      read: () => read(ctx),
      failed: (error) => ctx.deps.log.error({ err: error }, 'dashboard figures not refreshed'),
    });
  };
};
