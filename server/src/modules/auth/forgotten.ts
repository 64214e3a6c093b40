import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import type { Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { brandOfHost } from '../../domain/brand/brand.ts';
import { endSessionsOfCustomer } from '../../domain/end-sessions.ts';
import { hashPassword } from '../../domain/password.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { settingsOf } from '../../domain/settings.ts';
import { isRegistrationOpen } from '../../domain/subscriber/register-subscriber.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { fail, failAt, Refusal } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { issueSmsCode, redeemSmsCode, releaseSmsCode } from '../../kit/messages/sms.ts';
import { clearAttempts } from '../../kit/session/attempts.ts';
import { attemptName } from './attempt-name.ts';
import { siteOf } from './register.ts';

/** The reply is the same for known and unknown phones. A registration needs an open VNO: that of the gateway, else the platform. */
export const sendSms: Handler<typeof calls.sms> = async (ctx, { type, phone, sn }) => {
  if (type === 'register') await refuseClosed(ctx, sn);
  return issueSmsCode(ctx, type, phone, (await brandOfHost(ctx.db, ctx.request.hostname)).name);
};

const refuseClosed = async (ctx: PublicCtx, sn: string | null | undefined) => {
  const site = await siteOf(ctx, sn);
  const settings = await settingsOf(ctx.db, ctx.deps.config, site.agent_id);
  if (!settings.self_register) throw fail('registration_closed');
  // Without a gateway the caller can still name one with the registration.
  if (sn && !isRegistrationOpen(settings, site)) throw fail('registration_no_place');
};

const shared: Text = [
  '多个账号使用该手机号，请填写要重置密码的登录账号',
  'Several accounts have this phone. Enter the login account whose password is reset.',
];
const notOfPhone: Text = ['该账号未使用此手机号', 'This account does not have this phone'];

/**
 * The account that verified the phone, else the only account with it. Of several unverified accounts the holder of the phone names one. An
 * account that gets the same phone later cannot block a reset by the one that verified it.
 */
const accountToReset = async ({ db }: PublicCtx, phone: string, username: string | null | undefined) => {
  const accounts = await db
    .selectFrom('customer')
    .select(['id', 'username', 'phone_verified_at'])
    .where('phone', '=', phone)
    .where('status', '=', 1)
    .execute();
  if (accounts.length === 0) throw fail('phone_unknown');
  const verified = accounts.filter(({ phone_verified_at }) => phone_verified_at !== null);
  const candidates = (verified.length > 0 ? verified : accounts).filter((account) => !username || account.username === username);
  const [account, ...others] = candidates;
  if (!account) throw failAt('username', notOfPhone);
  if (others.length > 0) throw failAt('username', shared);
  return account;
};

export const resetForgotten: Handler<typeof calls.forget> = async (ctx, { phone, smscode, password, username }) => {
  await redeemSmsCode(ctx.deps.db, 'forgetpwd', phone, smscode, ctx.now());
  const account = await accountToReset(ctx, phone, username).catch(async (error: unknown) => {
    if (error instanceof Refusal && error.details.fields?.username) await releaseSmsCode(ctx.deps.db, 'forgetpwd', phone);
    throw error;
  });
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
