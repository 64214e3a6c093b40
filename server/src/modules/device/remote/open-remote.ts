import type { RemoteService, remoteCalls } from '@farlink/contract/device/remote.ts';
import type { OutputOf } from '@farlink/contract/kit/endpoint.ts';
import { openSession } from '../../../domain/remote/open-session.ts';
import type { Ctx } from '../../../kit/ctx.ts';

export const openRemote =
  (service: RemoteService) =>
  (ctx: Ctx, { id }: { readonly id: number }): Promise<OutputOf<typeof remoteCalls.router>> =>
    openSession(ctx, id, service);
