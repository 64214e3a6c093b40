import { limits } from '@farlink/contract/limits.ts';
import type { Deps } from '../../kit/deps.ts';
import { hashToken } from '../../kit/session/secret.ts';
import { newCaptcha } from './draw-captcha.ts';

/** The hash includes the id, which only the client has, so the row alone does not reveal the four letters. */
const hashOf = (id: string, answer: string) => hashToken(`${id} ${answer.toLowerCase()}`);

/** Draws a captcha for a random id of the client. The same id again gets another captcha. */
export const issueCaptcha = async ({ db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>, id: string): Promise<string> => {
  const { answer, svg } = newCaptcha(config.captchaFixed);
  const now = clock.now();
  const row = { answer_hash: hashOf(id, answer), expire_at: now + limits.captchaTtlS };
  await db.deleteFrom('captcha').where('expire_at', '<=', now).execute();
  await db
    .insertInto('captcha')
    .values({ id: hashToken(id), ...row })
    .onConflict((oc) => oc.column('id').doUpdateSet(row))
    .execute();
  return svg;
};

/** Each captcha is valid for one attempt: the row is deleted before the answer is checked. */
export const isCaptcha = async ({ db, clock }: Pick<Deps, 'db' | 'clock'>, id: string, answer: string): Promise<boolean> => {
  const row = await db.deleteFrom('captcha').where('id', '=', hashToken(id)).returning(['answer_hash', 'expire_at']).executeTakeFirst();
  return row !== undefined && row.expire_at > clock.now() && row.answer_hash === hashOf(id, answer);
};
