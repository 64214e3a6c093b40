import type { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { allowPublicCall } from '../../kit/http/rate-limit.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { hashToken, randomToken } from '../../kit/session/secret.ts';
import { newCaptcha } from './draw-captcha.ts';

const cookie = 'farlink_captcha';

/** The hash includes the secret of the cookie, so the row alone does not reveal the four letters. */
const hashOf = (id: string, answer: string) => hashToken(`${id} ${answer.toLowerCase()}`);

export const captcha: Handler<typeof authCalls.captcha> = async (ctx) => {
  // The call is public, and each captcha costs drawing time and a row, so it is rate-limited.
  allowPublicCall(ctx.deps, ctx.ip, ctx.now(), 'captcha ');
  const { answer, svg } = newCaptcha(ctx.deps.config.captchaFixed);
  const [id, now] = [randomToken(), ctx.now()];
  await ctx.deps.db.deleteFrom('captcha').where('expire_at', '<=', now).execute();
  await ctx.deps.db
    .insertInto('captcha')
    .values({ id: hashToken(id), answer_hash: hashOf(id, answer), expire_at: now + limits.captchaTtlS })
    .execute();
  ctx.reply.setCookie(cookie, id, {
    httpOnly: true,
    sameSite: 'strict',
    secure: ctx.request.protocol === 'https',
    path: '/agt/v1',
    maxAge: limits.captchaTtlS,
  });
  return new FileResponse({ body: svg, type: 'image/svg+xml' });
};

/** Each captcha is valid for one attempt: the row is deleted before the answer is checked. */
export const takeCaptcha = async (ctx: PublicCtx, answer: string): Promise<void> => {
  const id = ctx.request.cookies[cookie];
  const row = id
    ? await ctx.deps.db.deleteFrom('captcha').where('id', '=', hashToken(id)).returning(['answer_hash', 'expire_at']).executeTakeFirst()
    : undefined;
  const right = id !== undefined && row !== undefined && row.expire_at > ctx.now() && row.answer_hash === hashOf(id, answer);
  if (!right) throw fail('wrong_captcha', { fields: { verifycode: errors.wrong_captcha.text } });
};
