import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { sql } from 'kysely';
import { brandOfHost } from '../../domain/brand/brand.ts';
import { endSessionsOfCustomer } from '../../domain/end-sessions.ts';
import { hashPassword } from '../../domain/password.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { fail } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { issueSmsCode, redeemSmsCode } from '../../kit/messages/sms.ts';
import { clearAttempts } from '../../kit/session/attempts.ts';
import { attemptName } from './attempt-name.ts';

/** The reply is the same for known and unknown phones. */
export const sendSms: Handler<typeof calls.sms> = async (ctx, { type, phone }) =>
  issueSmsCode(ctx, type, phone, (await brandOfHost(ctx.db, ctx.request.hostname)).name);

/**
 * The code verifies the phone. If several accounts have this phone, the account that verified it is used, else the one that has had it
 * longest. An account that gets the same phone later cannot block a reset.
 */
export const resetForgotten: Handler<typeof calls.forget> = async (ctx, { phone, smscode, password }) => {
  await redeemSmsCode(ctx.deps.db, 'forgetpwd', phone, smscode, ctx.now());
  const account = await ctx.db
    .selectFrom('customer')
    .select(['id', 'username'])
    .where('phone', '=', phone)
    .where('status', '=', 1)
    .orderBy('phone_verified_at', (o) => o.asc().nullsLast())
    .orderBy('phone_at')
    .orderBy('id')
    .executeTakeFirst();
  if (!account) throw fail('phone_unknown');
  const hashed = await hashPassword(password);
  await ctx.deps.db.transaction().execute(async (db) => {
    await db
      .updateTable('customer')
      // The code verifies the phone, unless a disabled account has verified it before.
      .set((eb) => ({
        password_hash: hashed,
        phone_verified_at: sql<number | null>`case
          when not exists (select from customer other where other.phone = ${phone} and other.phone_verified_at is not null)
          then ${ctx.now()}::bigint else phone_verified_at end`,
        update_at: ctx.now(),
        version: eb('version', '+', 1),
      }))
      .where('id', '=', account.id)
      .execute();
    await clearAttempts(
      db,
      [true, false].map((isKnown) => attemptName(account.username, isKnown)),
    );
    await endSessionsOfCustomer(db, account.id);
    await writeLog(db, await sessionInfoOf(db, account.id, null), ctx, {
      module: 'auth',
      action: 'update',
      content: ['通过短信重置密码', 'Reset the password by SMS'],
      before: { password: 'old' },
      after: { password: 'new' },
    });
  });
};
