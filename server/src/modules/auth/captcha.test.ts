import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import cookiePlugin from '@fastify/cookie';
import { type FastifyInstance, fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicCtx, type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { Refusal } from '../../kit/fail.ts';
import { FileResponse } from '../../kit/files/file-response.ts';
import { captcha, takeCaptcha } from './captcha.ts';

let service: ServiceDeps;
let app: FastifyInstance;

beforeAll(async () => {
  // Letters that no hash contains.
  service = await serviceDeps({ CAPTCHA_FIXED: 'xY34' });
  app = fastify({ trustProxy: true });
  await app.register(cookiePlugin);
  app.get('/agt/v1/captcha', async (request, reply) => {
    const answer = await captcha(publicCtx(service.deps, request, reply), {});
    if (!(answer instanceof FileResponse)) throw new Error('not a file');
    return answer.send(reply);
  });
  app.get<{ Params: { answer: string } }>('/agt/v1/take/:answer', async (request, reply) => {
    try {
      await takeCaptcha(publicCtx(service.deps, request, reply), request.params.answer);
      return 'taken';
    } catch (error) {
      return error instanceof Refusal ? [error.reason, error.details.fields] : reply.status(500).send();
    }
  });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const fetched = async () => {
  const response = await app.inject('/agt/v1/captcha');
  const [cookie] = response.cookies;
  return { response, cookies: { [cookie?.name ?? '']: cookie?.value ?? '' } };
};
const taken = async (answer: string, cookies: Record<string, string> = {}) =>
  (await app.inject({ url: `/agt/v1/take/${answer}`, cookies })).body;
const refused = JSON.stringify(['wrong_captcha', { verifycode: errors.wrong_captcha.text }]);

test('the image is not cached, and its cookie is HttpOnly, SameSite=Strict, and Secure over TLS', async () => {
  const { response } = await fetched();
  expect(response.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-store' });
  expect(response.body).toMatch(/^<svg /);
  expect(response.cookies[0]).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/agt/v1', maxAge: limits.captchaTtlS });
  expect(response.cookies[0]?.secure).toBeUndefined();
  const overTls = await app.inject({ url: '/agt/v1/captcha', headers: { 'x-forwarded-proto': 'https' } });
  expect(overTls.cookies[0]?.secure).toBe(true);
});

test('the correct answer is accepted in upper or lower case, and only once', async () => {
  const { cookies } = await fetched();
  expect(await taken('Xy34', cookies)).toBe('taken');
  expect(await taken('xY34', cookies)).toBe(refused);
});

test('a wrong answer invalidates the captcha', async () => {
  const { cookies } = await fetched();
  expect(await taken('aB35', cookies)).toBe(refused);
  expect(await taken('xY34', cookies)).toBe(refused);
});

test('only one of several concurrent answers is accepted', async () => {
  const { cookies } = await fetched();
  const all = await Promise.all(Array.from({ length: 10 }, () => taken('xY34', cookies)));
  expect(all.filter((a) => a === 'taken')).toHaveLength(1);
});

test('an answer without the cookie of its captcha is refused', async () => {
  await fetched();
  expect(await taken('xY34')).toBe(refused);
  expect(await taken('xY34', { farlink_captcha: 'x' })).toBe(refused);
});

test('a captcha is valid for two minutes, and expired captchas are removed', async () => {
  const { cookies } = await fetched();
  service.clock.advance(limits.captchaTtlS);
  expect(await taken('xY34', cookies)).toBe(refused);
  await Promise.all([fetched(), fetched(), fetched()]);
  service.clock.advance(limits.captchaTtlS);
  await fetched();
  expect(await service.deps.db.selectFrom('captcha').selectAll().execute()).toHaveLength(1);
});

test('neither answer nor cookie is stored in plain text', async () => {
  const { cookies } = await fetched();
  const rows = JSON.stringify(await service.deps.db.selectFrom('captcha').selectAll().execute());
  expect(rows.toLowerCase()).not.toContain('xy34');
  expect(rows).not.toContain(cookies.farlink_captcha);
});
