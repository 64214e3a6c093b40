import type { authCalls } from '@farlink/contract/auth/auth.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import { isCaptcha, issueCaptcha } from '../../domain/captcha/captcha.ts';
import type { PublicCtx } from '../../kit/ctx.ts';
import { fail } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { allowPublicCall } from '../../kit/http/rate-limit.ts';
import type { Handler } from '../../kit/http/serve.ts';
import { randomToken } from '../../kit/session/secret.ts';

const cookie = 'farlink_captcha';

export const captcha: Handler<typeof authCalls.captcha> = async (ctx) => {
  // The call is public, and each captcha costs drawing time and a row, so it is rate-limited.
  await allowPublicCall(ctx.deps, ctx.ip, ctx.now(), 'captcha ');
  const id = randomToken();
  const svg = await issueCaptcha(ctx.deps, id);
  ctx.reply.setCookie(cookie, id, {
    httpOnly: true,
    sameSite: 'strict',
    secure: ctx.request.protocol === 'https',
    path: '/agt/v1',
    maxAge: limits.captchaTtlS,
  });
  return new FileResponse({ body: svg, type: 'image/svg+xml' });
};

export const takeCaptcha = async (ctx: PublicCtx, answer: string): Promise<void> => {
  const id = ctx.request.cookies[cookie];
  if (id === undefined || !(await isCaptcha(ctx.deps, id, answer)))
    throw fail('wrong_captcha', { fields: { verifycode: errors.wrong_captcha.text } });
};
