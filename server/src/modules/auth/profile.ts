import type { authCalls as calls } from '@farlink/contract/auth/auth.ts';
import { rules, serverRules } from '@farlink/contract/rules.ts';
import { endSessionsOfCustomer } from '../../domain/end-sessions.ts';
import { hashPassword, passwordMatches } from '../../domain/password.ts';
import type { Ctx } from '../../kit/ctx.ts';
import { fail, failAt } from '../../kit/fail.ts';
import { allowPerMinute } from '../../kit/rate-limit.ts';
import { writeLog } from '../../kit/record.ts';
import type { Handler } from '../../kit/serve.ts';
import { forgetSessions } from '../../kit/session-cache.ts';

const own = (ctx: Ctx) =>
  ctx.deps.db
    .selectFrom('customer')
    .select(['username', 'name', 'phone', 'password_hash'])
    .where('id', '=', ctx.me.uid)
    .executeTakeFirstOrThrow();

export const readProfile: Handler<typeof calls.profile> = async (ctx) => {
  const { username, name, phone } = await own(ctx);
  const { uid, role_name, permissions, operate_permissions, view_hide_pkg, acted_by } = ctx.me;
  return { uid, username, name, phone, role_name, permissions, operate_permissions, view_hide_pkg, acted_by };
};

const triesPerMinute = 5;

const changePassword = async (ctx: Ctx, old: string, wanted: string) => {
  // Whoever found an open console shall not find out the password by trying.
  allowPerMinute(ctx.deps, `password ${ctx.me.uid}`, triesPerMinute, ctx.now());
  const { password_hash } = await own(ctx);
  if (!(await passwordMatches(password_hash, old))) throw failAt('password', serverRules.old_password);
  const hashed = await hashPassword(wanted);
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

const changePhone = async (ctx: Ctx, phone: string) => {
  const before = await own(ctx);
  const { text } = rules.phone_changed('old_phone');
  if (before.phone === phone && typeof text !== 'function') throw failAt('phone', text);
  await ctx.deps.db.transaction().execute(async (db) => {
    await db
      .updateTable('customer')
      .set((eb) => ({ phone, update_at: ctx.now(), version: eb('version', '+', 1) }))
      .where('id', '=', ctx.me.uid)
      .execute();
    await writeLog(db, ctx.me, ctx, {
      module: 'auth',
      action: 'update',
      content: ['修改手机号', 'Changed own phone'],
      before: { phone: before.phone },
      after: { phone },
    });
  });
};

/** An account that somebody else is working as keeps its password and phone: those are its owner's to change. */
export const changeProfile: Handler<typeof calls.change> = async (ctx, input) => {
  if (ctx.me.acted_by !== null) throw fail('denied');
  if (input.operate === 'change_pwd') await changePassword(ctx, input.password ?? '', input.newpassword ?? '');
  else await changePhone(ctx, input.phone ?? '');
};

export const logout: Handler<typeof calls.logout> = async (ctx) => {
  await ctx.deps.db.deleteFrom('session').where('id', '=', ctx.sessionId).execute();
  forgetSessions();
  await writeLog(ctx.deps.db, ctx.me, ctx, { module: 'auth', action: 'logout', content: ['退出登录', 'Logged out'] });
};
