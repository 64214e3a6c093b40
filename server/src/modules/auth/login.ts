import type { authCalls as calls, LockInfo, Session } from '@farlink/contract/auth/auth.ts';
import { fromBase64, obfuscate } from '@farlink/contract/kit/obfuscate.ts';
import { passwordFits } from '@farlink/contract/kit/password-rule.ts';
import { limits } from '@farlink/contract/limits.ts';
import { brandOf, logoUrl } from '../../domain/brand/brand.ts';
import { checkDummyPassword, passwordMatches } from '../../domain/password.ts';
import { sessionInfoOf } from '../../domain/rights.ts';
import { lockSettings } from '../../domain/settings.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { fail, type Refusal } from '../../kit/fail.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { writeLog } from '../../kit/log/record.ts';
import { type CountedAttempt, clearAttempts, countAttempt } from '../../kit/session/attempts.ts';
import { passwordRuleOf } from '../../kit/session/password-rule.ts';
import { hashToken, randomToken } from '../../kit/session/secret.ts';
import { openSession } from '../../kit/session/session.ts';
import { attemptName, isKnownAddress } from './attempt-name.ts';
import { takeCaptcha } from './captcha.ts';

interface Account {
  readonly id: number;
  readonly agent_id: number;
  readonly username: string;
  readonly name: string;
  readonly password_hash: string;
  readonly status: number;
  readonly license_expire: number | null;
  readonly last_login_ip: string | null;
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
      'customer.last_login_ip',
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

/**
 * spec §5: too many failures lock the name for a while; the refusal shows the remaining minutes. Attempts while the name is locked write one
 * log line per lock.
 */
const refuseLocked = async (ctx: PublicCtx, account: Account | undefined, { limit, count, waitS }: CountedAttempt) => {
  if (waitS === 0) return;
  const left = Math.ceil(waitS / 60);
  const data = { lock_count: limit.max, lock_time: Math.min(left, limit.windowS / 60) };
  const refusal = fail('locked', { args: [limit.max, left], data });
  if (count === limit.max + 1) await noteFailure(ctx, account, refusal);
  throw refusal;
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

/** The operator who acts as the account, and the session of that operator. */
interface Actor {
  readonly name: string;
  readonly session: number | null;
}

export const beginSession = async (ctx: PublicCtx, customerId: number, actor?: Actor): Promise<Session> => {
  const info = await sessionInfoOf(ctx.db, customerId, actor?.name ?? null);
  const token = await openSession(ctx.db, ctx, info, actor?.session ?? null);
  const brand = await brandOf(ctx.db, info.agent_id);
  await ctx.db.updateTable('customer').set({ last_login_at: ctx.now(), last_login_ip: ctx.ip }).where('id', '=', customerId).execute();
  await writeLog(ctx.db, info, ctx, {
    module: 'auth',
    action: 'login',
    content: actor ? [`由 ${actor.name} 代为登录`, `Logged in by ${actor.name} on behalf of this account`] : ['登录系统', 'Logged in'],
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

/** Counts this attempt of the name, and refuses it if the name is locked. */
const beginAttempt = async (ctx: PublicCtx, username: string, account: Account | undefined): Promise<CountedAttempt> => {
  const { lock_count, lock_time } = await lockSettings(ctx.db, ctx.deps.config);
  const isKnown = account !== undefined && isKnownAddress(account, ctx.ip);
  const limit = { name: attemptName(username, isKnown), max: lock_count, windowS: lock_time * 60 };
  const attempt = await countAttempt(ctx.db, limit, ctx.now());
  await refuseLocked(ctx, account, attempt);
  return attempt;
};

const refuseWrong = async (ctx: PublicCtx, account: Account | undefined, { limit, count }: CountedAttempt): Promise<never> => {
  const data: LockInfo = { lock_count: limit.max, err_count: count - 1, lock_time: limit.windowS / 60 };
  const isLast = count >= limit.max;
  await noteFailure(ctx, account, isLast ? fail('locked', { args: [data.lock_count, data.lock_time] }) : fail('wrong_password'));
  throw fail('wrong_password', { data });
};

export const login: Handler<typeof calls.login> = async (ctx, input) => {
  await takeCaptcha(ctx, input.verifycode);
  const account = await findAccount(ctx, input.username);
  const attempt = await beginAttempt(ctx, input.username, account);
  const password = decode(input.password ?? '');
  const refuse = async (refusal: Refusal) => {
    await noteFailure(ctx, account, refusal);
    return refusal;
  };
  if (!(await proves(ctx, account, password, input.remember_token)) || !account) return refuseWrong(ctx, account, attempt);
  await clearAttempts(ctx.db, [attempt.limit.name]);
  if (account.status === 0) throw await refuse(fail('account_disabled'));
  if (account.license_expire !== null && account.license_expire <= ctx.now()) throw await refuse(fail('authorization_expired'));
  // The password no longer meets the password rule: the operator must reset it before login.
  if (!input.remember_token && !passwordFits(password, await passwordRuleOf(ctx.db))) throw fail('password_must_change');
  const session = await beginSession(ctx, account.id);
  return input.remember ? { ...session, remember_token: await rememberFor(ctx, account.id) } : session;
};
