import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mailServerCalls as calls } from '@farlink/contract/advanced/mail-server.ts';
import { errors } from '@farlink/contract/errors.ts';
import { infoCalls } from '@farlink/contract/market/info-setup.ts';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Api, inputOf, startApi } from '../../../test/api.ts';
import { type MailSink, makeCertificate, openSink } from '../../../test/mail-sink.ts';
import { uploadFile } from '../../../test/upload.ts';
import { makeBranches } from '../../../test/world.ts';
import { buildApp } from '../../app.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let [plain, ssl, startTls]: MailSink[] = [];
const folder = mkdtempSync(join(tmpdir(), 'farlink-mail-'));
const certificate = makeCertificate(folder);
const secret = 'Sea-mail-2026';

const sinks = () => {
  if (!plain || !ssl || !startTls) throw new Error('not open');
  return { plain, ssl, startTls };
};

beforeAll(async () => {
  const { key, cert } = certificate;
  api = await startApi({ MAIL_PRIVATE: 'on', MAIL_CA: certificate.path });
  world = await makeBranches(api);
  plain = await openSink();
  ssl = await openSink({ secure: true, key, cert });
  startTls = await openSink({ hideSTARTTLS: false, allowInsecureAuth: false, key, cert });
});
afterEach(() => api.clock.advance(60));
afterAll(async () => {
  for (const sink of Object.values(sinks())) await sink.close();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the mail server of a VNO', () => {
  it('is empty at first, is saved, and never returns its password', async () => {
    const { east } = world;
    const first = await east.call(calls.read);
    expect(first.data).toMatchObject({ version: 0, enable: false, name: null, has_password: false });
    const form = sinks().plain.form;
    expect((await east.call(calls.save, { ...form, enable: true, version: 0 })).code).toBe(0);
    const read = await east.call(calls.read);
    expect(read.data).toMatchObject({ version: 1, enable: true, user: form.user, host: form.host, has_password: true, fault: null });
    const row = await api.db.selectFrom('mail_server').selectAll().executeTakeFirstOrThrow();
    const log = await api.db.selectFrom('syslog').selectAll().where('module', '=', 'advanced').execute();
    expect(log.map((l) => l.content_en)).toContain('Saved the mail server 127.0.0.1');
    for (const output of [read, row, log]) expect(JSON.stringify(output)).not.toContain(secret);
  });

  it('keeps its password if none is sent, and requires it again for another server', async () => {
    const { east } = world;
    const { password: _, ...withoutPassword } = sinks().plain.form;
    expect((await east.call(calls.save, { ...withoutPassword, enable: true, version: 1 })).code).toBe(errors.unchanged.code);
    expect((await east.call(calls.save, { ...withoutPassword, sign: '新的签名', enable: true, version: 1 })).code).toBe(0);
    const changes = [{ host: 'evil.example' }, { port: 2525 }, { user: 'other@sea.cn' }, { secure: 'ssl' }];
    for (const change of changes) {
      const form = { ...withoutPassword, ...change, enable: true };
      const saved = await east.call(calls.save, { ...form, version: 2 });
      expect(saved.data, JSON.stringify(change)).toEqual({ fields: { password: '请输入密码' } });
      const tested = await east.call(calls.test, inputOf(calls.test, { ...form, to: 'a@b.cn' }));
      expect(tested.data, JSON.stringify(change)).toEqual({ fields: { password: '请输入密码' } });
    }
    expect((await east.call(calls.test, { ...withoutPassword, to: 'a@b.cn' })).code).toBe(0);
    expect(sinks().plain.logins.at(-1)).toBe(withoutPassword.user);
  });

  it('refuses a stale form and bad values at their fields', async () => {
    const { east } = world;
    const form = sinks().plain.form;
    expect((await east.call(calls.save, { ...form, version: 1 })).code).toBe(errors.stale.code);
    const bad = await east.call(calls.save, { ...form, host: 'http://mail.sea.cn', port: 70_000, user: 'noc', name: '', version: 2 });
    expect(Object.keys(Object(bad.data).fields)).toEqual(['name', 'user', 'host', 'port']);
  });

  it('is used by child VNOs without a mail server, and by no others', async () => {
    const ready = async (by: typeof world.east) => (await by.call(calls.ready)).data;
    expect(await ready(world.east)).toEqual({ ready: true, own: true });
    expect(await ready(world.child)).toEqual({ ready: true, own: false });
    expect(await ready(world.west)).toEqual({ ready: false, own: false });
    expect((await world.west.call(calls.read)).data).toMatchObject({ has_password: false, host: null });
  });
});

describe('a test mail', () => {
  it('returns the reply of the mail server, and arrives complete in the language of the operator', async () => {
    const { mails, form } = sinks().plain;
    mails.length = 0;
    const zh = await world.west.call(calls.test, { ...form, to: 'captain@ship.cn' });
    expect(zh.data.answer).toMatch(/^250 /);
    await world.west.call(calls.test, { ...form, to: 'captain@ship.cn', lang: 'en' });
    expect(mails.map((m) => m.subject)).toEqual(['【VNO west】测试邮件', '[VNO west] Test mail']);
    expect(mails[0]).toMatchObject({ from: form.user, to: 'captain@ship.cn' });
    expect(mails[0]?.text).toMatch(/测试邮件.*\n+-- \n蓝海运维/);
    expect(mails[0]?.source).toMatch(/^From: .*<noc@sea\.cn>$/m);
  });

  it('contains the logo of the VNO as an inline image, or its name if it has no logo', async () => {
    const { mails, form } = sinks().plain;
    mails.length = 0;
    await world.west.call(calls.test, { ...form, sign: '', to: 'a@b.cn' });
    expect(mails[0]?.source).not.toContain('image/png');
    expect(mails[0]?.text).toContain('-- \nVNO west');
    const bytes = await sharp({ create: { width: 190, height: 60, channels: 3, background: 'navy' } })
      .png()
      .toBuffer();
    await uploadFile(api, world.west, infoCalls.agentLogo, bytes, 'logo.png');
    await world.west.call(calls.test, { ...form, to: 'a@b.cn' });
    const source = mails[1]?.source.replace(/=\n/g, '').replaceAll('=3D', '=') ?? '';
    expect(source).toContain('<img src="cid:logo" alt="VNO west"');
    expect(source).toMatch(/Content-Type: image\/png; name=logo\.png[\s\S]*Content-Id: <logo>/i);
    expect(source).not.toMatch(/src="http/);
    expect((await world.west.call(infoCalls.removeAgentLogo)).code).toBe(0);
  });

  it('uses implicit TLS or STARTTLS, as configured', async () => {
    for (const [sink, secure] of [
      [sinks().ssl, 'ssl'],
      [sinks().startTls, 'starttls'],
    ] as const) {
      const reply = await world.west.call(calls.test, { ...sink.form, secure, to: 'a@b.cn' });
      expect(reply.code, reply.msg).toBe(0);
      expect(sink.mails.at(-1)).toMatchObject({ secure: true });
    }
  });

  it('does not fall back to an unencrypted connection', async () => {
    const { form, mails, logins } = sinks().plain;
    const before = mails.length;
    const known = logins.length;
    const reply = await world.west.call(calls.test, { ...form, secure: 'starttls', to: 'a@b.cn' });
    expect(reply).toMatchObject({ code: errors.mail_failed.code });
    expect(reply.msg).toContain('无法建立加密连接');
    expect([mails.length, logins.length]).toEqual([before, known]);
  });

  it('reports why it failed, also in the operator log', async () => {
    const { form, replies } = sinks().plain;
    const { west } = world;
    const output = async (more: object) => (await west.call(calls.test, { ...form, to: 'a@b.cn', ...more })).msg;
    expect(await output({ password: 'Wrong-2026' })).toMatch(/登录被拒绝.*535.*authentication failed/);
    replies.push(550, 451);
    expect(await output({})).toMatch(/邮件被拒收.*550.*no such mailbox/);
    expect(await output({})).toMatch(/服务器暂时不收.*451.*greylisted/);
    const strict = await openSink({
      onMailFrom: (_, __, done) => done(Object.assign(new Error('5.7.1 not your address'), { responseCode: 553 })),
    });
    expect(await output(strict.form)).toMatch(/发件账号被拒绝.*553.*not your address/);
    await strict.close();
    expect(await output({ host: 'nowhere.invalid' })).toMatch(/找不到服务器 nowhere\.invalid/);
    expect(await output({ port: 1 })).toMatch(/无法连接服务器.*ECONNREFUSED/);
    const log = await api.db.selectFrom('syslog').selectAll().where('agent_id', '=', world.westId).where('result', '=', 'fail').execute();
    expect(log.map((l) => l.message_en)).toContainEqual(expect.stringMatching(/^Mail refused: 550/));
    expect(JSON.stringify(log)).not.toMatch(/Wrong-2026|Sea-mail/);
  });

  it('is rate-limited', async () => {
    const { form } = sinks().plain;
    const codes: number[] = [];
    for (let i = 0; i < 12; i++) codes.push((await world.child.call(calls.test, { ...form, port: 1, to: 'a@b.cn' })).code);
    expect(codes.slice(-2)).toEqual([errors.too_many.code, errors.too_many.code]);
  });
});

describe('an installation without MAIL_CA or MAIL_PRIVATE', () => {
  it('refuses an untrusted certificate, and sends no mail to private addresses', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line: string) => lines.push(line) });
    const deps = { ...api.deps, log };
    const stranger = await buildApp({ ...deps, config: { ...deps.config, mail: { allowPrivate: true, ca: undefined } } });
    const closed = await buildApp({ ...deps, config: { ...deps.config, mail: { allowPrivate: false, ca: undefined } } });
    const { west } = world;
    const ask = async (app: typeof closed, input: object) => {
      const { uid, agent_id, token } = west.session ?? { uid: 0, agent_id: 0, token: '' };
      const payload = { ...sinks().ssl.form, secure: 'ssl', to: 'home@b.cn', uid, agent_id, lang: 'en', ...input };
      return (await app.inject({ method: 'POST', url: '/agt/v1/email/server/test', headers: { authorization: token }, payload })).json();
    };
    expect((await ask(stranger, {})).msg).toMatch(/Cannot establish a secure connection: .*self-signed/);
    expect((await ask(closed, {})).data).toEqual({ fields: { host: 'Private addresses are not allowed: 127.0.0.1' } });
    // A host name is checked by the address it resolves to.
    expect((await ask(closed, { host: 'localhost.localdomain' })).msg).toMatch(/Private addresses are not allowed|not found/);
    expect(sinks().ssl.mails.map((m) => m.to)).not.toContain('home@b.cn');
    expect(lines.join('')).not.toContain(secret);
    await stranger.close();
    await closed.close();
  });
});
