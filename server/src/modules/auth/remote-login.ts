import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { fromBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { isRecord } from '@farlink/contract/kit/values.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { hashToken } from '../../kit/session/secret.ts';
import { beginSession } from './login.ts';

const tokenIn = (remoteData: string): string => {
  try {
    const data: unknown = JSON.parse(fromBase64(remoteData));
    if (isRecord(data) && typeof data.token === 'string') return data.token;
  } catch {
    // Malformed data is refused below.
  }
  throw fail('remote_expired');
};

/** One statement reads and deletes the token, so it opens one session only. */
export const remoteLogin: Handler<typeof calls.remote> = async (ctx, { remoteData }) => {
  const taken = await ctx.db
    .deleteFrom('remote_token')
    .where('token_hash', '=', hashToken(tokenIn(remoteData)))
    .returning(['customer_id', 'acted_by', 'actor_session_id', 'expire_at'])
    .executeTakeFirst();
  if (!taken || taken.expire_at <= ctx.now()) throw fail('remote_expired');
  const account = await ctx.db.selectFrom('customer').select('status').where('id', '=', taken.customer_id).executeTakeFirst();
  if (account?.status !== 1) throw fail('account_disabled');
  return beginSession(ctx, taken.customer_id, { name: taken.acted_by, session: taken.actor_session_id });
};
