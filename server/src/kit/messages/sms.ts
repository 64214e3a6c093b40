import { randomBytes, randomInt } from 'node:crypto';
import { errors } from '@farlink/contract/errors.ts';
import { fill, type Lang, say, type Text } from '@farlink/contract/kit/text.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import type { Config } from '../../env/config.ts';
import type { PublicCtx } from '../ctx.ts';
import type { Db } from '../deps.ts';
import { fail } from '../fail.ts';
import { isLoopback } from '../http/direct-caller.ts';
import { hashToken } from '../session/secret.ts';
import { post } from './outbox.ts';

const daySeconds = 86_400;

const message: Text = ['验证码 {0}，{1} 分钟内有效，请勿告知他人。', 'Your code is {0}. It is valid for {1} minutes. Do not share it.'];

/** Each SMS is signed with the name of the VNO that the reader knows. */
const signed = (sender: string, text: Text): Text => [`【${sender}】${text[0]}`, `[${sender}] ${text[1]}`];

const newCode = () => String(randomInt(10 ** limits.smsCodeLength)).padStart(limits.smsCodeLength, '0');

/** The lock serializes requests for one phone, so that a burst cannot bypass the limit. */
const refuseTooOften = async (db: Db, phone: string, now: number) => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`sms ${phone}`}, 0))`.execute(db);
  const { today, last } = await db
    .selectFrom('sms_code')
    .select((eb) => [eb.fn.countAll<number>().as('today'), eb.fn.max('create_at').as('last')])
    .where('phone', '=', phone)
    .where('create_at', '>', now - daySeconds)
    .executeTakeFirstOrThrow();
  if (today >= limits.smsPerDay || (last !== null && now - last < limits.smsCountdownS)) throw fail('sms_too_often');
};

/** Startup notice of a server without an SMS sender. */
export const smsWarning = ({ sms, production }: Pick<Config, 'sms' | 'production'>): string | undefined => {
  if (sms) return undefined;
  const shown = production ? 'not shown' : 'shown only to browsers on this machine';
  return `SMS_URL is not set: SMS codes stay in the table sms_outbox and are ${shown}.`;
};

/**
 * Sends a new code. The reply contains it only for a caller on this machine, and only with the built-in outbox (spec §4): otherwise any
 * caller with a phone number could take over its account.
 */
export const issueSmsCode = (ctx: PublicCtx, type: string, phone: string, sender: string): Promise<string | null> =>
  ctx.deps.db.transaction().execute(async (db) => {
    const now = ctx.now();
    await refuseTooOften(db, phone, now);
    const code = newCode();
    const salt = randomBytes(16).toString('hex');
    const expireAt = now + limits.smsTtlS;
    await db
      .insertInto('sms_code')
      .values({ type, phone, salt, code_hash: hashToken(salt + code), create_at: now, expire_at: expireAt })
      .execute();
    const body = say(signed(sender, fill(message, code, limits.smsTtlS / 60)), ctx.lang);
    if (ctx.deps.config.sms) {
      await post(db, ctx.deps, { channel: 'sms', recipient: phone, body, expireAt });
      return null;
    }
    await db.insertInto('sms_outbox').values({ phone, body, create_at: now }).execute();
    return ctx.deps.config.production || !isLoopback(ctx.request) ? null : code;
  });

/**
 * Redeems the newest code of the phone, or refuses. One statement counts the try and uses the code. Pass the pool, not a transaction: a
 * rollback would undo the counted try.
 */
export const redeemSmsCode = async (db: Db, type: string, phone: string, code: string, now: number): Promise<void> => {
  const newest = db.selectFrom('sms_code').select('id').where('phone', '=', phone).where('type', '=', type).orderBy('id', 'desc').limit(1);
  const row = await db
    .updateTable('sms_code')
    .set({
      tries: sql`tries + 1`,
      used_at: sql`case when code_hash = encode(sha256(convert_to(salt || ${code}, 'UTF8')), 'hex') then ${now}::bigint end`,
    })
    .where('id', '=', newest)
    .where('used_at', 'is', null)
    .where('expire_at', '>', now)
    .where('tries', '<', limits.smsTries)
    .returning('used_at')
    .executeTakeFirst();
  if (row?.used_at == null) throw fail('wrong_sms', { fields: { smscode: errors.wrong_sms.text } });
};

/** The right code was given, but the call lacks something else: it can be given again, within the same number of tries. */
export const releaseSmsCode = async (db: Db, type: string, phone: string): Promise<void> => {
  const newest = db.selectFrom('sms_code').select('id').where('phone', '=', phone).where('type', '=', type).orderBy('id', 'desc').limit(1);
  await db.updateTable('sms_code').set({ used_at: null }).where('id', '=', newest).execute();
};

interface Sms {
  readonly phone: string;
  readonly text: Text;
  /** Name of the VNO. */
  readonly sender: string;
}

/** Anonymous accounts have no usable number. */
export const isPhone = (phone: string) => /^\+?\d{6,15}$/.test(phone);

/** Numbers outside mainland China get English. */
const langOf = (phone: string): Lang => (phone.startsWith('+') && !phone.startsWith('+86') ? 'en' : 'zh');

/** Part of the caller's transaction. Without an SMS gateway the message stays in the built-in outbox. */
export const sendText = async (db: Db, config: Config, { phone, text, sender }: Sms, now: number): Promise<void> => {
  const body = say(signed(sender, text), langOf(phone));
  if (config.sms) await post(db, { config, clock: { now: () => now } }, { channel: 'sms', recipient: phone, body });
  else await db.insertInto('sms_outbox').values({ phone, body, create_at: now }).execute();
};
