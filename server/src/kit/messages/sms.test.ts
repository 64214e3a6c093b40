import { limits } from '@farlink/contract/limits.ts';
import { fastify } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicCtx, type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import type { Deps } from '../deps.ts';
import { issueSmsCode, redeemSmsCode, smsWarning } from './sms.ts';

let service: ServiceDeps;
beforeAll(async () => {
  service = await serviceDeps();
});
afterAll(() => service.close());

let phones = 0;
const newPhone = () => `139${String(phones++).padStart(8, '0')}`;

const issue = async (phone: string, deps: Deps = service.deps, lang: 'zh' | 'en' = 'zh', from: object = {}) => {
  const app = fastify();
  let issued: Promise<string | null> = Promise.resolve(null);
  app.get('/', async (request, reply) => {
    issued = issueSmsCode(publicCtx(deps, request, reply, lang), 'forgetpwd', phone, '蓝海卫通');
    await issued.catch(() => {});
    return '';
  });
  await app.inject({ url: '/', ...from });
  return issued;
};
const redeem = (phone: string, code: string | null, type = 'forgetpwd') =>
  redeemSmsCode(service.deps.db, type, phone, code ?? '', service.clock.now());
const wrong = { reason: 'wrong_sms' };
const other = (code: string | null) => (code === '000000' ? '000001' : '000000');

test('a code has six digits, is stored hashed and is readable in the built-in outbox', async () => {
  const phone = newPhone();
  const code = await issue(phone);
  expect(code).toMatch(new RegExp(`^\\d{${limits.smsCodeLength}}$`));
  const row = await service.deps.db.selectFrom('sms_code').selectAll().where('phone', '=', phone).executeTakeFirstOrThrow();
  expect(JSON.stringify(row)).not.toContain(code);
  const [sent] = await service.deps.db.selectFrom('sms_outbox').selectAll().where('phone', '=', phone).execute();
  expect(sent?.body).toBe(`【蓝海卫通】验证码 ${code}，5 分钟内有效，请勿告知他人。`);
});

test('a live system without a sender returns no code', async () => {
  const live = { ...service.deps, config: { ...service.deps.config, production: true } };
  expect(await issue(newPhone(), live)).toBeNull();
});

test('a code is returned only to a caller on this machine, and is in the outbox for the others', async () => {
  for (const from of [
    { remoteAddress: '192.168.1.7' },
    { headers: { 'x-forwarded-for': '127.0.0.1' } },
    { headers: { host: 'console.example.com' } },
  ]) {
    const phone = newPhone();
    expect(await issue(phone, service.deps, 'zh', from)).toBeNull();
    expect(await service.deps.db.selectFrom('sms_outbox').select('id').where('phone', '=', phone).execute()).toHaveLength(1);
  }
});

test('the notice at the start says where codes are returned while there is no SMS sender', () => {
  expect(smsWarning({ sms: undefined, production: false })).toContain('only to browsers on this machine');
  expect(smsWarning({ sms: undefined, production: true })).toContain('not shown');
  expect(smsWarning({ sms: { url: 'http://127.0.0.1:1/', secret: 's' }, production: true })).toBeUndefined();
});

test('the message is in the language of the caller', async () => {
  const phone = newPhone();
  const code = await issue(phone, service.deps, 'en');
  const [sent] = await service.deps.db.selectFrom('sms_outbox').selectAll().where('phone', '=', phone).execute();
  expect(sent?.body).toContain(`Your code is ${code}`);
});

test('a code is valid once', async () => {
  const phone = newPhone();
  const code = await issue(phone);
  await redeem(phone, code);
  await expect(redeem(phone, code)).rejects.toMatchObject(wrong);
});

test('only one of many concurrent uses of a code succeeds', async () => {
  const phone = newPhone();
  const code = await issue(phone);
  const all = await Promise.allSettled(Array.from({ length: 10 }, () => redeem(phone, code)));
  expect(all.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
});

test('a code is valid only for its phone and its purpose', async () => {
  const phone = newPhone();
  const stranger = newPhone();
  const code = await issue(phone);
  await expect(redeem(stranger, code)).rejects.toMatchObject(wrong);
  await expect(redeem(phone, code, 'register')).rejects.toMatchObject(wrong);
  await redeem(phone, code);
});

test('five wrong attempts invalidate a code, also in parallel', async () => {
  const phone = newPhone();
  const code = await issue(phone);
  const guesses = await Promise.allSettled(Array.from({ length: limits.smsTries }, () => redeem(phone, other(code))));
  expect(guesses.every((g) => g.status === 'rejected')).toBe(true);
  await expect(redeem(phone, code)).rejects.toMatchObject(wrong);
});

test('the right code is still valid after four wrong attempts', async () => {
  const phone = newPhone();
  const code = await issue(phone);
  for (let i = 1; i < limits.smsTries; i++) await expect(redeem(phone, other(code))).rejects.toMatchObject(wrong);
  await redeem(phone, code);
});

test('a code is valid for five minutes', async () => {
  const phone = newPhone();
  const early = await issue(phone);
  const late = await issue(newPhone());
  service.clock.advance(limits.smsTtlS);
  await expect(redeem(phone, early)).rejects.toMatchObject(wrong);
  expect(late).not.toBeNull();
});

test('a new code replaces the old one', async () => {
  const phone = newPhone();
  const first = await issue(phone);
  service.clock.advance(limits.smsCountdownS);
  const second = await issue(phone);
  if (first !== second) await expect(redeem(phone, first)).rejects.toMatchObject(wrong);
  await redeem(phone, second);
});

test('a phone gets one code a minute, even if many are requested at once', async () => {
  const phone = newPhone();
  const burst = await Promise.allSettled(Array.from({ length: 8 }, () => issue(phone)));
  expect(burst.filter((r) => r.status === 'fulfilled')).toHaveLength(1);
  expect(burst.find((r) => r.status === 'rejected')).toMatchObject({ reason: { reason: 'sms_too_often' } });
  service.clock.advance(limits.smsCountdownS - 1);
  await expect(issue(phone)).rejects.toMatchObject({ reason: 'sms_too_often' });
  service.clock.advance(1);
  await issue(phone);
});

test('a phone gets ten codes a day', async () => {
  const phone = newPhone();
  for (let i = 0; i < limits.smsPerDay; i++) {
    await issue(phone);
    service.clock.advance(limits.smsCountdownS);
  }
  await expect(issue(phone)).rejects.toMatchObject({ reason: 'sms_too_often' });
  await issue(newPhone());
  service.clock.advance(86_400);
  await issue(phone);
});

test('with a real SMS sender the code is neither returned nor in the built-in outbox', async () => {
  const phone = newPhone();
  const config = { ...service.deps.config, sms: { url: 'http://127.0.0.1:1/', secret: 's' } };
  expect(await issue(phone, { ...service.deps, config })).toBeNull();
  expect(await service.deps.db.selectFrom('sms_outbox').select('id').where('phone', '=', phone).execute()).toEqual([]);
  const [letter] = await service.deps.db.selectFrom('outbox').selectAll().where('recipient', '=', phone).execute();
  expect(letter).toMatchObject({ channel: 'sms', state: 'waiting', expire_at: service.clock.now() + limits.smsTtlS });
  expect(letter?.body).toMatch(/^v1\./);
});
