import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { rules, serverRules } from '@farlink/contract/rules.ts';
import { unreadOf } from '../../domain/announcement/received.ts';
import { brandOf, logoUrl } from '../../domain/brand/brand.ts';
import { endSession, endSessionsOfCustomer } from '../../domain/end-sessions.ts';
import { hashPassword, passwordMatches } from '../../domain/password.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { allowPerMinute } from '../../kit/http/rate-limit.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { redeemSmsCode } from '../../kit/messages/sms.ts';
import { passwordRuleOf } from '../../kit/session/password-rule.ts';

const own = (ctx: Ctx) =>
  ctx.deps.db
    .selectFrom('customer')
    .select(['username', 'name', 'phone', 'phone_verified_at', 'password_hash'])
    .where('id', '=', ctx.me.uid)
    .executeTakeFirstOrThrow();

export const readProfile: Handler<typeof calls.profile> = async (ctx) => {
  const { username, name, phone, phone_verified_at } = await own(ctx);
  const { uid, role_name, permissions, operate_permissions, view_hide_pkg, acted_by } = ctx.me;
  const phone_verified = phone_verified_at !== null;
  const brand = await brandOf(ctx.db, ctx.me.agent_id);
  return {
    uid,
    username,
    name,
    phone,
    phone_verified,
    role_name,
    permissions,
    operate_permissions,
    view_hide_pkg,
    acted_by,
    agent_name: brand.name,
    agent_logo: logoUrl(brand.logo),
    password_rule: await passwordRuleOf(ctx.db),
    notices: await unreadOf(ctx.db, uid, ctx.now()),
  };
};

const triesPerMinute = 5;

interface PhoneInput {
  readonly phone: string;
  readonly password: string;
  readonly smscode: string;
}

/** The rate limit prevents password guessing from a console that was left open. */
const refuseWrongPassword = async (ctx: Ctx, password: string) => {
  await allowPerMinute(ctx.deps, `password ${ctx.me.uid}`, triesPerMinute, ctx.now());
  const { password_hash } = await own(ctx);
  if (!(await passwordMatches(password_hash, password))) throw failAt('password', serverRules.old_password);
};

const changePassword = async (ctx: Ctx, old: string, newPassword: string) => {
  await refuseWrongPassword(ctx, old);
  const hashed = await hashPassword(newPassword);
  await ctx.deps.db.transaction().execute(async (db) => {
    await db
      .updateTable('customer')
      .set((eb) => ({ password_hash: hashed, update_at: ctx.now(), version: eb('version', '+', 1) }))
      .where('id', '=', ctx.me.uid)
      .execute();
    await endSessionsOfCustomer(db, ctx.me.uid);
    await writeLog(db, ctx.me, ctx, {
      module: 'auth',
      action: 'update',
      content: ['修改登录密码', 'Changed own password'],
      before: { password: 'old' },
      after: { password: 'new' },
    });
  });
};

/** A phone can reset the password, so a new phone needs the current password and a code sent to that phone. */
const changePhone = async (ctx: Ctx, { phone, password, smscode }: PhoneInput) => {
  const before = await own(ctx);
  const isSame = before.phone === phone;
  const { text } = rules.phone_changed('old_phone');
  if (isSame && before.phone_verified_at !== null && typeof text !== 'function') throw failAt('phone', text);
  await refuseWrongPassword(ctx, password);
  await redeemSmsCode(ctx.deps.db, 'change_phone', phone, smscode, ctx.now());
  await ctx.deps.db.transaction().execute(async (db) => {
    await db
      .updateTable('customer')
      .set((eb) => ({ phone, phone_at: ctx.now(), phone_verified_at: ctx.now(), update_at: ctx.now(), version: eb('version', '+', 1) }))
      .where('id', '=', ctx.me.uid)
      .execute();
    await writeLog(db, ctx.me, ctx, {
      module: 'auth',
      action: 'update',
      content: isSame ? ['验证手机号', 'Verified own phone'] : ['修改手机号', 'Changed own phone'],
      before: { phone: before.phone },
      after: { phone },
    });
  });
};

/** A session that acts on behalf of an account cannot change its password or phone. */
export const changeProfile: Handler<typeof calls.change> = async (ctx, input) => {
  if (ctx.me.acted_by !== null) throw fail('denied');
  if (input.operate === 'change_pwd') await changePassword(ctx, input.password ?? '', input.newpassword ?? '');
  else await changePhone(ctx, { phone: input.phone ?? '', password: input.password, smscode: input.smscode ?? '' });
};

export const logout: Handler<typeof calls.logout> = async (ctx) => {
  await endSession(ctx.deps.db, ctx.sessionId);
  await writeLog(ctx.deps.db, ctx.me, ctx, { module: 'auth', action: 'logout', content: ['退出登录', 'Logged out'] });
};
