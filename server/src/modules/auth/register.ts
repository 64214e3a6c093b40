import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { type RegistrationSite, registerSubscriber } from '../../domain/subscriber/register-subscriber.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { failAt } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';

/** The gateway of the portal determines the VNO of the new subscriber; without a gateway it is the platform. */
export const siteOf = async (ctx: PublicCtx, sn: string | null | undefined): Promise<RegistrationSite> => {
  if (!sn) {
    const platform = await ctx.db.selectFrom('agent').select('id as agent_id').where('agent_level', '=', 0).executeTakeFirstOrThrow();
    return { ...platform, device_id: null };
  }
  const device = await ctx.db.selectFrom('device').select(['agent_id', 'id as device_id']).where('sn', '=', sn).executeTakeFirst();
  if (!device) throw failAt('sn', ['设备不存在', 'Unknown device']);
  return device;
};

export const register: Handler<typeof calls.register> = async (ctx, input) => {
  const { account } = await registerSubscriber(ctx, await siteOf(ctx, input.sn), input);
  return { account };
};
