import type { authCalls as calls, LockInfo, Session } from '@farlink/contract/auth/auth.ts';
import { fromBase64, obfuscate } from '@farlink/contract/kit/obfuscate.ts';
import { passwordFits } from '@farlink/contract/kit/password-rule.ts';
import { limits } from '@farlink/contract/limits.ts';
import { brandOf, logoUrl } from '../../domain/brand/brand.ts';
import { checkDummyPassword, passwordMatches } from '../../domain/password.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { lockSettings } from '../../domain/setting/read-settings.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { fail, type Refusal } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { passwordRuleOf } from '../../kit/session/password-rule.ts';
import { hashToken, randomToken } from '../../kit/session/secret.ts';
import { openSession } from '../../kit/session/session.ts';
import { takeCaptcha } from './captcha.ts';

interface Account {
  readonly id: number;
  readonly agent_id: number;
  readonly username: string;
  readonly name: string;
  readonly password_hash: string;
  readonly status: number;
  readonly license_expire: number | null;
}

const findAccount = (ctx: PublicCtx, username: string): Promise<Account | undefined> =>
  ctx.db
    .selectFrom('customer')
    .leftJoin('license', 'license.id', 'customer.license_id')
    .select([
      'customer.id',
      'customer.agent_id',
      'customer.username',
      'customer.name',
      'customer.password_hash',
      'customer.status',
      'license.expire_at as license_expire',
    ])
    .where((eb) => eb(eb.fn('lower', ['customer.username']), '=', username.toLowerCase()))
    .executeTakeFirst();

const decode = (password: string): string => {
  try {
    return fromBase64(password);
  } catch {
    return password;
  }
};

/**
 * Logs a failed login for the VNO of the account. Unknown names are not logged, so an attacker cannot fill the log; for a known account the
 * lock limits the lines.
 */
const noteFailure = async (ctx: PublicCtx, account: Account | undefined, { text }: Refusal) => {
  if (!account) return;
  const actor = { uid: account.id, agent_id: account.agent_id, username: account.username, name: account.name, acted_by: null };
  await writeLog(ctx.db, actor, ctx, { module: 'auth', action: 'login', content: ['登录失败', 'Login failed'], message: text });
};

/** Attempts while the name is locked write one log line per lock. */
const noteLocked = async (ctx: PublicCtx, username: string, refusal: Refusal) => {
  const first = await ctx.db
    .updateTable('login_failure')
    .set({ noted: true })
    .where('username', '=', username.toLowerCase())
    .where('noted', '=', false)
    .returning('username')
    .executeTakeFirst();
  if (first) await noteFailure(ctx, await findAccount(ctx, username), refusal);
};

/** spec §5: too many failures lock the name for a while; the refusal shows the remaining minutes. */
const refuseLocked = async (ctx: PublicCtx, username: string) => {
  const row = await ctx.db
    .selectFrom('login_failure')
    .select('lock_until')
    .where('username', '=', username.toLowerCase())
    .executeTakeFirst();
  if (!row || row.lock_until <= ctx.now()) return;
  const { lock_count, lock_time } = await lockSettings(ctx.db, ctx.deps.config);
  const left = Math.max(1, Math.ceil((row.lock_until - ctx.now()) / 60));
  const refusal = fail('locked', { args: [lock_count, left], data: { lock_count, lock_time: Math.min(left, lock_time) } });
  await noteLocked(ctx, username, refusal);
  throw refusal;
};

const countFailure = async (ctx: PublicCtx, username: string): Promise<LockInfo> => {
  const { lock_count, lock_time } = await lockSettings(ctx.db, ctx.deps.config);
  const now = ctx.now();
  const stale = now - lock_time * 60;
  const { err_count } = await ctx.db
    .insertInto('login_failure')
    .values({ username: username.toLowerCase(), err_count: 1, update_at: now })
    .onConflict((c) =>
      c.column('username').doUpdateSet((eb) => ({
        err_count: eb
          .case()
          .when('login_failure.update_at', '<', stale)
          .then(1)
          .else(eb('login_failure.err_count', '+', 1))
          .end(),
        update_at: now,
      })),
    )
    .returning('err_count')
    .executeTakeFirstOrThrow();
  if (err_count >= lock_count)
    await ctx.db
      .updateTable('login_failure')
      .set({ lock_until: now + lock_time * 60, err_count: 0, noted: false })
      .where('username', '=', username.toLowerCase())
      .execute();
  return { lock_count, err_count: err_count - 1, lock_time };
};

/** One statement reads and deletes the token, so only one of two concurrent requests succeeds. */
const takeRemembered = async (ctx: PublicCtx, account: Account | undefined, token: string): Promise<boolean> => {
  const taken = await ctx.db
    .deleteFrom('remember_token')
    .where('token_hash', '=', hashToken(token))
    .where('customer_id', '=', account?.id ?? 0)
    .where('expire_at', '>', ctx.now())
    .returning('customer_id')
    .executeTakeFirst();
  return taken !== undefined;
};

/** An unknown account takes as long to check as a known one, so timing does not reveal which accounts exist. */
const proves = async (
  ctx: PublicCtx,
  account: Account | undefined,
  password: string,
  rememberToken: string | null | undefined,
): Promise<boolean> => {
  if (rememberToken) return takeRemembered(ctx, account, rememberToken);
  if (account) return passwordMatches(account.password_hash, password);
  await checkDummyPassword(password);
  return false;
};

export const beginSession = async (ctx: PublicCtx, customerId: number, actedBy: string | null): Promise<Session> => {
  const info = await sessionInfoOf(ctx.db, customerId, actedBy);
  const token = await openSession(ctx.db, ctx, info);
  const brand = await brandOf(ctx.db, info.agent_id);
  await ctx.db.updateTable('customer').set({ last_login_at: ctx.now(), last_login_ip: ctx.ip }).where('id', '=', customerId).execute();
  await writeLog(ctx.db, info, ctx, {
    module: 'auth',
    action: 'login',
    content: actedBy ? [`由 ${actedBy} 代为登录`, `Logged in by ${actedBy} on behalf of this account`] : ['登录系统', 'Logged in'],
  });
  return {
    uid: info.uid,
    token,
    is_admin: info.is_admin,
    agent_level: info.agent_level,
    agent_id: info.agent_id,
    permissions: info.permissions,
    view_hide_pkg: info.view_hide_pkg,
    agent_logo: logoUrl(brand.logo),
    agent_name: info.agent_name,
    nickname: obfuscate(info.name),
    role_name: info.role_name,
    agent_mode: info.agent_mode,
    agent_child_enable: info.agent_child_enable,
  };
};

const rememberFor = async (ctx: PublicCtx, customerId: number): Promise<string> => {
  const token = randomToken();
  await ctx.db
    .insertInto('remember_token')
    .values({ token_hash: hashToken(token), customer_id: customerId, expire_at: ctx.now() + limits.rememberDays * 86_400 })
    .execute();
  return token;
};

export const login: Handler<typeof calls.login> = async (ctx, input) => {
  await takeCaptcha(ctx, input.verifycode);
  await refuseLocked(ctx, input.username);
  const account = await findAccount(ctx, input.username);
  const password = decode(input.password ?? '');
  const refuse = async (refusal: Refusal) => {
    await noteFailure(ctx, account, refusal);
    return refusal;
  };
  if (!(await proves(ctx, account, password, input.remember_token)) || !account) {
    const data = await countFailure(ctx, input.username);
    const isLast = data.err_count + 1 >= data.lock_count;
    await noteFailure(ctx, account, isLast ? fail('locked', { args: [data.lock_count, data.lock_time] }) : fail('wrong_password'));
    throw fail('wrong_password', { data });
  }
  // Concurrent guesses are checked in parallel, so the lock is checked again: other guesses may have locked the name meanwhile.
  await refuseLocked(ctx, input.username);
  await ctx.db.deleteFrom('login_failure').where('username', '=', input.username.toLowerCase()).execute();
  if (account.status === 0) throw await refuse(fail('account_disabled'));
  if (account.license_expire !== null && account.license_expire <= ctx.now()) throw await refuse(fail('authorization_expired'));
  // The password no longer meets the password rule: the operator must reset it before login.
  if (!input.remember_token && !passwordFits(password, await passwordRuleOf(ctx.db))) throw fail('password_must_change');
  const session = await beginSession(ctx, account.id, null);
  return input.remember ? { ...session, remember_token: await rememberFor(ctx, account.id) } : session;
};
