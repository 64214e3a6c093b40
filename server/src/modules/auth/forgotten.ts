import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { endSessionsOfCustomer } from '../../domain/end-sessions.ts';
import { hashPassword } from '../../domain/password.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { fail } from '../../kit/fail.ts';
import { writeLog } from '../../kit/record.ts';
import type { Handler } from '../../kit/serve.ts';
import { issueSmsCode, redeemSmsCode } from '../../kit/sms.ts';

/** Says the same for a known and an unknown phone. */
export const sendSms: Handler<typeof calls.sms> = (ctx, { type, phone }) => issueSmsCode(ctx, type, phone);

/** The code proves the phone; the phone must point to one account, or it would be unclear whose password this is. */
export const resetForgotten: Handler<typeof calls.forget> = async (ctx, { phone, smscode, password }) => {
  await redeemSmsCode(ctx.deps.db, 'forgetpwd', phone, smscode, ctx.now());
  const accounts = await ctx.db
    .selectFrom('customer')
    .select(['id', 'username'])
    .where('phone', '=', phone)
    .where('status', '=', 1)
    .limit(2)
    .execute();
  const [account] = accounts;
  if (!account || accounts.length > 1) throw fail('phone_unknown');
  const hashed = await hashPassword(password);
  await ctx.deps.db.transaction().execute(async (db) => {
    await db
      .updateTable('customer')
      .set((eb) => ({ password_hash: hashed, update_at: ctx.now(), version: eb('version', '+', 1) }))
      .where('id', '=', account.id)
      .execute();
    await db.deleteFrom('login_failure').where('username', '=', account.username.toLowerCase()).execute();
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
