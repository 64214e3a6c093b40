import { toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { Ctx } from '../kit/ctx.ts';
import { record } from '../kit/log/record.ts';
import { hashToken, randomToken } from '../kit/session/secret.ts';

/** A one-time, short-lived token with which a new window logs in as another account. The log records both identities. */
export const actAs = async (ctx: Ctx, target: { id: number; username: string }) => {
  const token = randomToken();
  await ctx.db.deleteFrom('remote_token').where('expire_at', '<', ctx.now()).execute();
  await ctx.db
    .insertInto('remote_token')
    .values({
      token_hash: hashToken(token),
      customer_id: target.id,
      acted_by: ctx.me.acted_by ?? ctx.me.username,
      actor_session_id: ctx.sessionId,
      expire_at: ctx.now() + limits.remoteTokenTtlS,
    })
    .execute();
  record(ctx, [`以 ${target.username} 的身份登录`, `Logged in as ${target.username}`], {
    after: { account: target.username, acted_by: ctx.me.username },
  });
  return { token, remoteData: toBase64(JSON.stringify({ token })) };
};
