import { fill, type Text } from '@farlink/contract/kit/text.ts';
import { sql } from 'kysely';
import { isCaptcha } from '../domain/captcha/captcha.ts';
import { settingsOf } from '../domain/setting/read-settings.ts';
import { texts } from './texts.ts';
import { clientOf, type Visit } from './visit.ts';

/** Failures after which a captcha is needed. */
const captchaAfter = 3;
/** Failures of one client that lock it, as a multiple of those that lock an account: an address may belong to many people. */
const clientFactor = 4;

export interface Guard {
  /** Of the account or card that was typed. Unknown names are counted too, so the replies do not differ. */
  readonly names: readonly string[];
  readonly isCaptchaNeeded: boolean;
  /** Minutes until the lock ends; 0: not locked. */
  readonly lockedMinutes: number;
}

const clientName = (visit: Visit) => `client ${clientOf(visit)}`;

/** Failed attempts with this name and of this client. */
export const guardOf = async (visit: Visit, typed: readonly string[]): Promise<Guard> => {
  const { db, clock } = visit.deps;
  const names = [clientName(visit), ...typed];
  const now = clock.now();
  const rows = await db.selectFrom('portal_failure').selectAll().where('name', 'in', names).execute();
  // True for almost all visitors, so the first page needs no settings.
  if (rows.length === 0) return { names: typed, isCaptchaNeeded: false, lockedMinutes: 0 };
  const { lock_time } = await settingsOf(db, visit.deps.config, visit.agent.id);
  const recent = rows.filter(({ update_at, lock_until }) => update_at > now - lock_time * 60 || lock_until > now);
  const until = Math.max(0, ...rows.map(({ lock_until }) => lock_until));
  return {
    names: typed,
    isCaptchaNeeded: recent.some(({ err_count, lock_until }) => err_count >= captchaAfter || lock_until > 0),
    lockedMinutes: until > now ? Math.ceil((until - now) / 60) : 0,
  };
};

const count = async (visit: Visit, name: string, maxFailures: number, lockS: number) => {
  const now = visit.deps.clock.now();
  await sql`
    insert into portal_failure (name, err_count, update_at) values (${name}, 1, ${now})
    on conflict (name) do update set
      err_count = case when portal_failure.update_at < ${now - lockS}::bigint then 1 else portal_failure.err_count + 1 end,
      lock_until = case when portal_failure.update_at >= ${now - lockS}::bigint and portal_failure.err_count + 1 >= ${maxFailures}::int
        then ${now + lockS}::bigint else portal_failure.lock_until end,
      update_at = ${now}`.execute(visit.deps.db);
};

export const noteFailure = async (visit: Visit, { names }: Guard) => {
  const { db, config } = visit.deps;
  const { lock_count, lock_time } = await settingsOf(db, config, visit.agent.id);
  const lockS = lock_time * 60;
  await db
    .deleteFrom('portal_failure')
    .where('update_at', '<', visit.deps.clock.now() - 86_400)
    .where('lock_until', '<', visit.deps.clock.now())
    .execute();
  for (const name of names) await count(visit, name, lock_count, lockS);
  await count(visit, clientName(visit), lock_count * clientFactor, lockS);
};

/** A correct attempt clears the failures of its name, but not those of the client, which may be guessing other names. */
export const forgetFailures = (visit: Visit, { names }: Guard) =>
  visit.deps.db.deleteFrom('portal_failure').where('name', 'in', names).execute();

/** Whether the next form of this client needs a captcha. */
export const needsCaptcha = async (visit: Visit): Promise<boolean> => (await guardOf(visit, [])).isCaptchaNeeded;

/** Reason to refuse an attempt without a check; undefined if it may be checked. */
export const refusalOf = async (visit: Visit, guard: Guard, form: URLSearchParams): Promise<Text | undefined> => {
  if (guard.lockedMinutes > 0) return fill(texts.locked, guard.lockedMinutes);
  if (!guard.isCaptchaNeeded) return undefined;
  return (await isRightCaptcha(visit, form)) ? undefined : texts.captchaNeeded;
};

export const isRightCaptcha = async (visit: Visit, form: { get(name: string): string | null }): Promise<boolean> => {
  const [id, answer] = [form.get('captcha_id') ?? '', form.get('captcha') ?? ''];
  return /^[\w-]{22}$/.test(id) && answer.length <= 8 && isCaptcha(visit.deps, id, answer);
};
