import { authCalls } from '@farlink/contract/auth/auth.ts';
import { deobfuscate, toBase64 } from '@farlink/contract/kit/obfuscate.ts';
import { limits } from '@farlink/contract/limits.ts';
import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { staffCalls } from '@farlink/contract/permission/sub-account.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, password, readReply, startApi } from '../../../test/api.ts';
import { makeRole, makeStaff } from '../../../test/world.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

const sms = async (type: 'forgetpwd' | 'register' | 'change_phone', phone: string) => {
  const reply = await api.anonymous.call(authCalls.sms, { type, phone });
  return { ...reply, sent: String(reply.data) };
};

describe('login', () => {
  it('returns the session fields of the specification, with an encoded nickname', async () => {
    const { code, data } = await api.tryLogin('admin', password);
    expect(code).toBe(0);
    expect(Object.keys(data).sort()).toEqual(
      [
        'agent_child_enable',
        'agent_id',
        'agent_level',
        'agent_logo',
        'agent_mode',
        'agent_name',
        'is_admin',
        'nickname',
        'permissions',
        'role_name',
        'token',
        'uid',
        'view_hide_pkg',
      ].sort(),
    );
    expect(data).toMatchObject({ is_admin: true, agent_level: 0, permissions: null });
    expect(deobfuscate(data.nickname)).toBe('系统管理员');
  });

  it('reports missing and invalid fields in the language of the caller', async () => {
    const zh = await api.anonymous.call(authCalls.login, { username: '', verifycode: '' });
    expect(zh).toMatchObject({ status: 400, code: 10001, data: { fields: { username: '请输入账号', verifycode: '请输入验证码' } } });
    const en = await api.anonymous.call(authCalls.login, { username: 'abc', verifycode: '8-8', lang: 'en' });
    expect(en.data).toEqual({
      fields: {
        username: '4-32 characters, must contain a letter; letters, digits and underscore only',
        verifycode: 'Exactly 4 letters or digits',
      },
    });
  });

  it('refuses a captcha that was already used or is older than two minutes', async () => {
    const cookie = await api.captchaCookie();
    const attempt = async (verifycode: string, jar = cookie) => {
      const response = await fetch(`${api.base}/agt/v1/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', cookie: jar },
        body: JSON.stringify({ username: 'admin', password: toBase64(password), verifycode }),
      });
      return (await readReply(response)).code;
    };
    expect(await attempt('0000')).toBe(10030);
    expect(await attempt('8888')).toBe(10030);
    const once = await api.captchaCookie();
    expect(await attempt('8888', once)).toBe(0);
    expect(await attempt('8888', once)).toBe(10030);
    const late = await api.captchaCookie();
    api.clock.advance(limits.captchaTtlS + 1);
    expect(await attempt('8888', late)).toBe(10030);
  });

  it('locks an account after five wrong passwords for ten minutes, and unknown names as well', async () => {
    for (const name of ['admin', 'nobody_here']) {
      for (const err_count of [0, 1, 2, 3, 4]) {
        const reply = await api.tryLogin(name, 'wrong1A');
        expect(reply).toMatchObject({ status: 401, code: 10008, data: { lock_count: 5, err_count, lock_time: 10 } });
      }
      expect(await api.tryLogin(name, password)).toMatchObject({
        code: 10036,
        data: { lock_count: 5, lock_time: 10 },
        msg: '密码输入错误超过5次，请等待10分钟后解锁',
      });
    }
    api.clock.advance(601);
    expect((await api.tryLogin('admin', password)).code).toBe(0);
    expect((await api.tryLogin('admin', 'wrong1A')).data).toMatchObject({ err_count: 0 });
  });

  it('accepts a remember token instead of the password, and replaces it at each login', async () => {
    const { data } = await api.tryLogin('admin', password, { remember: true });
    const token = data.remember_token;
    expect(token).toHaveLength(43);
    const again = await api.tryLogin('admin', '', { remember_token: token, password: undefined, remember: true });
    expect(again.code).toBe(0);
    expect(again.data.remember_token).not.toBe(token);
    expect((await api.tryLogin('admin', '', { remember_token: token, password: undefined })).code).toBe(10008);
  });

  it('accepts only one of several concurrent logins with the same remember token', async () => {
    const { data } = await api.tryLogin('admin', password, { remember: true });
    const logIn = () => api.tryLogin('admin', '', { remember_token: data.remember_token, password: undefined });
    const replies = await Promise.all([logIn(), logIn(), logIn(), logIn()]);
    expect(replies.map(({ code }) => code).sort()).toEqual([0, 10008, 10008, 10008]);
    expect((await api.tryLogin('admin', password)).code).toBe(0);
  });

  it('logs each failure, only one entry while the account is locked, and none for unknown names', async () => {
    const admin = await api.login('admin');
    await makeStaff(admin, 'failing', await makeRole(admin, 'failing', grantsOf(['system_log'])));
    const lines = async (username: string) =>
      (await (await api.login('admin')).call(logCalls.own, { username, limit: 100 })).data.list.map(({ content, result, message }) => [
        content,
        result,
        message,
      ]);
    for (let n = 0; n < 8; n++) {
      await api.tryLogin('failing', 'Wrong111');
      await api.tryLogin('stranger_x', 'Wrong111');
    }
    const wrong = ['登录失败', 'fail', '账号或密码错误'];
    const locked = ['登录失败', 'fail', expect.stringContaining('10')];
    expect(await lines('failing')).toEqual([locked, locked, wrong, wrong, wrong, wrong]);
    expect(await lines('stranger_x')).toEqual([]);
    api.clock.advance(601);
  });

  it('an operator who is locked by a stranger can log in from the address of the last login', async () => {
    const admin = await api.login('admin');
    await makeStaff(admin, 'harassed', await makeRole(admin, '被锁', grantsOf(['system_log'])));
    for (let n = 0; n < 6; n++) await api.tryLogin('harassed', 'Wrong111');
    expect((await api.tryLogin('harassed', password)).code).toBe(10036);
    await api.db.updateTable('customer').set({ last_login_ip: '127.0.0.1' }).where('username', '=', 'harassed').execute();
    expect((await api.tryLogin('harassed', password)).code).toBe(0);
  });

  it('refuses the correct password when concurrent wrong guesses have locked the account', async () => {
    const admin = await api.login('admin');
    await makeStaff(admin, 'guessed', await makeRole(admin, '被猜', grantsOf(['system_log'])));
    const cookies = await Promise.all(Array.from({ length: 40 }, () => api.captchaCookie()));
    // All requests are concurrent and the correct password is last, before any of them is checked.
    const replies = await Promise.all(
      cookies.map(async (cookie, i) => {
        const body = JSON.stringify({ username: 'guessed', password: toBase64(i === 39 ? password : `Wrong${i}aa`), verifycode: '8888' });
        const headers = { 'content-type': 'application/json', cookie };
        return readReply(await fetch(`${api.base}/agt/v1/login`, { method: 'POST', headers, body }));
      }),
    );
    const count = (code: number) => replies.filter((reply) => reply.code === code).length;
    // Each guess is counted before it is checked.
    expect([count(0), count(10008), count(10036)]).toEqual([0, 5, 35]);
    api.clock.advance(601);
    expect((await api.tryLogin('guessed', password)).code).toBe(0);
  });

  it('limits checks of the old password in a password change to five per minute', async () => {
    const me = await api.login('guessed');
    const guess = (old: string) =>
      me.call(authCalls.change, { operate: 'change_pwd', password: old, newpassword: 'Another22', repassword: 'Another22' });
    for (let i = 0; i < 5; i++) expect((await guess(`Wrong${i}aa`)).code).toBe(10001);
    expect((await guess(password)).code).toBe(10004);
    api.clock.advance(60);
    expect((await guess(password)).code).toBe(0);
  });

  it('requires a reset of a password that no longer complies with the password rule', async () => {
    const admin = await api.login('admin');
    await api.db
      .insertInto('setting')
      .values({
        agent_id: admin.session?.agent_id ?? 0,
        name: 'password_rule_range',
        value: JSON.stringify('12-18'),
        operator: 'admin',
        update_at: 1,
      })
      .execute();
    const strict = await startApiOn(api);
    expect((await strict('admin', password)).code).toBe(10112);
    await api.db.deleteFrom('setting').where('name', '=', 'password_rule_range').execute();
  });
});

/** Each process caches the rule for some seconds; a new process reads it at once. */
const startApiOn = async (running: Api) => {
  const { buildApp } = await import('../../app.ts');
  const { openDatabase } = await import('../../db/connect.ts');
  const { rows } = await running.deps.pool.query<{ current_database: string }>('select current_database()');
  const url = new URL(running.deps.pool.options.connectionString ?? '');
  url.pathname = `/${rows[0]?.current_database}`;
  const { db, pool } = await openDatabase(url.href);
  const app = await buildApp({ ...running.deps, db, pool });
  return async (username: string, secret: string) => {
    const captcha = await app.inject('/agt/v1/captcha');
    const cookie = captcha.cookies.map((c) => `${c.name}=${c.value}`).join('; ');
    const reply = await app.inject({
      method: 'POST',
      url: '/agt/v1/login',
      headers: { cookie },
      payload: { username, password: toBase64(secret), verifycode: '8888' },
    });
    await app.close();
    await db.destroy();
    return reply.json();
  };
};

describe('a session', () => {
  it('ends 15 minutes after the last activity', async () => {
    const admin = await api.login('admin');
    api.clock.advance(limits.inactivityMs / 1000 - 1);
    expect((await admin.call(authCalls.profile)).code).toBe(0);
    api.clock.advance(limits.inactivityMs / 1000 - 1);
    expect((await admin.call(authCalls.profile)).code).toBe(0);
    api.clock.advance(limits.inactivityMs / 1000 + 1);
    expect(await admin.call(authCalls.profile)).toMatchObject({ status: 401, code: 10021, msg: '请重新登录' });
  });

  it('ends at logout, while other sessions of the account continue', async () => {
    const one = await api.login('admin');
    const two = await api.login('admin');
    expect((await one.call(authCalls.logout)).code).toBe(0);
    expect((await one.call(authCalls.profile)).code).toBe(10021);
    expect((await two.call(authCalls.profile)).code).toBe(0);
  });

  it('is identified by its token only: another uid or agent_id is refused', async () => {
    const admin = await api.login('admin');
    expect(await admin.call(authCalls.profile, { uid: 999 })).toMatchObject({ status: 403, code: 10012 });
    expect((await admin.call(authCalls.profile, { agent_id: 999 })).code).toBe(10012);
  });

  it('never stores its token', async () => {
    const admin = await api.login('admin');
    const rows = await api.db.selectFrom('session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(admin.session?.token);
  });
});

describe('own profile', () => {
  const opened = async (name: string) => {
    const admin = await api.login('admin');
    const role = await makeRole(admin, name, grantsOf(['system_log']));
    const id = await makeStaff(admin, name, role);
    return { admin, id, role, staff: await api.login(name) };
  };

  it('changes the password with the correct old and a different, confirmed new one, and ends the session', async () => {
    const { staff } = await opened('pwd_one');
    const change = (input: object) => staff.call(authCalls.change, { operate: 'change_pwd', ...input });
    expect((await change({})).data).toMatchObject({
      fields: { password: '请输入原密码', newpassword: '请输入新密码', repassword: '请输入确认密码' },
    });
    expect((await change({ password: 'Wrong111', newpassword: 'Newpass1', repassword: 'Newpass1' })).data).toEqual({
      fields: { password: '原密码错误' },
    });
    expect((await change({ password, newpassword: password, repassword: password })).data).toEqual({
      fields: { newpassword: '新密码不能与原密码相同' },
    });
    expect((await change({ password, newpassword: 'Newpass1', repassword: 'Newpass2' })).data).toEqual({
      fields: { repassword: '两次输入的密码不一致' },
    });
    expect((await change({ password, newpassword: 'Newpass1', repassword: 'Newpass1' })).code).toBe(0);
    expect((await staff.call(authCalls.profile)).code).toBe(10021);
    expect((await api.tryLogin('pwd_one', 'Newpass1')).code).toBe(0);
  });

  const changePhone = (by: Caller, input: object) => by.call(authCalls.change, { operate: 'change_phone', ...input });

  it('changes the phone to a different one, with the password and a code sent to the new phone', async () => {
    const { staff } = await opened('phone_one');
    const phone = '13500000001';
    const { sent } = await sms('change_phone', phone);
    expect((await changePhone(staff, { phone })).data).toEqual({ fields: { password: '请输入原密码', smscode: '请输入短信验证码' } });
    expect((await changePhone(staff, { phone, password: 'Wrong111', smscode: sent })).data).toEqual({ fields: { password: '原密码错误' } });
    const other = sent === '000000' ? '111111' : '000000';
    expect((await changePhone(staff, { phone, password, smscode: other })).code).toBe(10040);
    expect((await changePhone(staff, { phone: '13500000009', password, smscode: sent })).code).toBe(10040);
    expect((await changePhone(staff, { phone, password, smscode: sent })).code).toBe(0);
    expect((await staff.call(authCalls.profile)).data).toMatchObject({ phone, phone_verified: true });
    expect((await changePhone(staff, { phone: `+86-${phone}`, password, smscode: sent })).data).toEqual({
      fields: { phone: '新手机号不能与原手机号相同' },
    });
  });

  it('verifies its current phone, and refuses a phone that another account has verified', async () => {
    const phone = '13500000031';
    const { admin, id, staff } = await opened('verify_one');
    await admin.call(staffCalls.update, { id, version: 1, phone });
    expect((await staff.call(authCalls.profile)).data).toMatchObject({ phone, phone_verified: false });
    const verify = async (by: Caller) => {
      const { sent } = await sms('change_phone', phone);
      api.clock.advance(61);
      return changePhone(by, { phone, password, smscode: sent });
    };
    expect((await verify(staff)).code).toBe(0);
    expect((await staff.call(authCalls.profile)).data.phone_verified).toBe(true);
    const { staff: second } = await opened('verify_two');
    expect(Object.keys(fieldsOf(await verify(second)))).toEqual(['phone']);
    expect((await admin.call(staffCalls.update, { id, version: 3, phone: '13500000032' })).code).toBe(0);
    expect((await staff.call(authCalls.profile)).data.phone_verified).toBe(false);
  });

  it('cannot be changed by an operator who acts as the account', async () => {
    const { admin, id } = await opened('acted_one');
    const { remoteData } = (await admin.call(staffCalls.login, { id })).data;
    const { data } = await api.anonymous.call(authCalls.remote, { remoteData });
    const acting = api.as(data);
    expect((await acting.call(authCalls.profile)).data.acted_by).toBe('admin');
    expect((await acting.call(authCalls.change, { operate: 'change_phone', phone: '13500000002', password, smscode: '000000' })).code).toBe(
      10006,
    );
  });
});

describe('remote login', () => {
  it('works once, within one minute, and only with a valid link', async () => {
    const admin = await api.login('admin');
    const role = await makeRole(admin, 'remote', grantsOf(['system_log']));
    const id = await makeStaff(admin, 'remote_one', role);
    const link = async () => (await admin.call(staffCalls.login, { id })).data.remoteData;
    const first = await link();
    expect((await api.anonymous.call(authCalls.remote, { remoteData: first })).code).toBe(0);
    expect((await api.anonymous.call(authCalls.remote, { remoteData: first })).code).toBe(10043);
    const late = await link();
    api.clock.advance(limits.remoteTokenTtlS + 1);
    expect((await api.anonymous.call(authCalls.remote, { remoteData: late })).code).toBe(10043);
    expect((await api.anonymous.call(authCalls.remote, { remoteData: 'rubbish' })).code).toBe(10043);
  });
});

describe('a session in which an operator acts as another account', () => {
  it('ends with the logout of the operator, as unused links do; those of other sessions stay', async () => {
    const admin = await api.login('admin');
    const elsewhere = await api.login('admin');
    const id = await makeStaff(admin, 'entered', await makeRole(admin, 'entered', grantsOf(['system_log'])));
    const enter = async (by: typeof admin) => {
      const { remoteData } = (await by.call(staffCalls.login, { id })).data;
      return { remoteData, open: async () => api.as((await api.anonymous.call(authCalls.remote, { remoteData })).data) };
    };
    const acting = await (await enter(admin)).open();
    const other = await (await enter(elsewhere)).open();
    const unused = await enter(admin);
    expect((await admin.call(authCalls.logout)).code).toBe(0);
    expect((await acting.call(authCalls.profile)).status).toBe(401);
    expect((await api.anonymous.call(authCalls.remote, { remoteData: unused.remoteData })).code).toBe(10043);
    expect((await other.call(authCalls.profile)).data.acted_by).toBe('admin');
  });
});

describe('a forgotten password', () => {
  it('is reset with an SMS code, which the reply contains while the built-in outbox is used', async () => {
    const admin = await api.login('admin');
    const role = await makeRole(admin, 'forgot', grantsOf(['system_log']));
    await makeStaff(admin, 'forgot_one', role, { phone: '13600000001' });
    const { sent } = await sms('forgetpwd', '+8613600000001');
    expect(sent).toMatch(/^[A-Za-z0-9]{6}$/);
    const reset = (input: object) =>
      api.anonymous.call(authCalls.forget, { phone: '13600000001', smscode: sent, password: 'Another1', repassword: 'Another1', ...input });
    expect((await reset({ repassword: 'Another2' })).data).toEqual({ fields: { repassword: '两次输入的密码不一致' } });
    expect((await reset({ smscode: sent === '000000' ? '111111' : '000000' })).code).toBe(10040);
    expect((await reset({})).code).toBe(0);
    expect((await reset({})).code).toBe(10040);
    expect((await api.tryLogin('forgot_one', 'Another1')).code).toBe(0);
  });

  it('is reset for the account that has verified the phone; of several others the holder of the phone names one', async () => {
    const admin = await api.login('admin');
    const role = await makeRole(admin, 'shared', grantsOf(['system_log']));
    const phone = '13600000011';
    await makeStaff(admin, 'shared_first', role, { phone });
    api.clock.advance(1);
    await makeStaff(admin, 'shared_second', role, { phone });
    let smscode: string | undefined;
    const again = (secret: string, more: object = {}) =>
      api.anonymous.call(authCalls.forget, { phone, smscode, password: secret, repassword: secret, ...more });
    const reset = async (secret: string, more: object = {}) => {
      api.clock.advance(61);
      smscode = (await sms('forgetpwd', phone)).sent;
      return again(secret, more);
    };
    const wrong = '多个账号使用该手机号，请填写要重置密码的登录账号';
    expect((await reset('Another1')).data).toEqual({ fields: { username: wrong } });
    expect((await again('Another1', { username: 'forgot_one' })).data).toEqual({ fields: { username: '该账号未使用此手机号' } });
    for (const name of ['shared_first', 'shared_second']) expect((await api.tryLogin(name, password)).code).toBe(0);
    expect((await again('Another1', { username: 'shared_first' })).code).toBe(0);
    expect((await again('Another1', { username: 'shared_first' })).code).toBe(10040);
    expect((await api.tryLogin('shared_first', 'Another1')).code).toBe(0);
    expect((await api.tryLogin('shared_second', password)).code).toBe(0);
    // The second account cannot take over the phone that the first account has verified.
    await api.db.updateTable('customer').set({ phone_at: 0 }).where('username', '=', 'shared_second').execute();
    expect((await reset('Another2', { username: 'shared_second' })).data).toHaveProperty('fields.username');
    expect((await reset('Another2')).code).toBe(0);
    expect((await api.tryLogin('shared_first', 'Another2')).code).toBe(0);
  });

  it('gets at most one SMS code per minute', async () => {
    expect((await sms('forgetpwd', '13600000002')).code).toBe(0);
    expect((await sms('forgetpwd', '13600000002')).code).toBe(10041);
    api.clock.advance(61);
    expect((await sms('forgetpwd', '13600000002')).code).toBe(0);
  });

  it('of a phone without an account is refused only after the SMS code is verified', async () => {
    api.clock.advance(61);
    const known = '13600000001';
    const unknown = '13600000099';
    const reset = (phone: string, smscode: string) =>
      api.anonymous.call(authCalls.forget, { phone, smscode, password: 'Another2', repassword: 'Another2' });
    const replies = [await sms('forgetpwd', known), await sms('forgetpwd', unknown)];
    const alike = { status: 200, code: 0, data: expect.stringMatching(/^\d{6}$/) };
    expect(replies).toMatchObject([alike, alike]);
    expect(replies[0]?.msg).toBe(replies[1]?.msg);
    const code = replies[1]?.sent ?? '';
    const wrong = code === '000000' ? '111111' : '000000';
    expect(await reset(unknown, wrong)).toEqual(await reset(known, wrong));
    expect((await reset(unknown, wrong)).code).toBe(10040);
    expect((await reset(unknown, code)).code).toBe(10042);
  });
});

describe('self-registration of a subscriber', () => {
  const input = (smscode: string, more = {}) => ({
    account: 'sailor01',
    password: 'sail123',
    repassword: 'sail123',
    name: '水手',
    id_number: '11010519491231002X',
    phone: '13700000001',
    smscode,
    ...more,
  });

  it('requires the SMS code, assigns the subscriber to the VNO of the gateway, and refuses a duplicate account', async () => {
    const admin = await api.login('admin');
    await api.db
      .insertInto('device')
      .values({ agent_id: admin.session?.agent_id ?? 0, name: 'Ship', sn: 'SN-1', create_at: 1 })
      .execute();
    const { sent } = await sms('register', '13700000001');
    const wrong = sent === '000000' ? '111111' : '000000';
    expect((await api.anonymous.call(authCalls.register, input(wrong, { sn: 'SN-1' }))).code).toBe(10040);
    expect(Object.keys(fieldsOf(await api.anonymous.call(authCalls.register, input('', { sn: 'SN-1' }))))).toEqual(['smscode']);
    expect((await api.anonymous.call(authCalls.register, input(sent, { sn: 'SN-404' }))).data).toEqual({ fields: { sn: '设备不存在' } });
    expect((await api.anonymous.call(authCalls.register, input(sent, { sn: 'SN-1' }))).code).toBe(0);
    const row = await api.db.selectFrom('subscriber').selectAll().where('account', '=', 'sailor01').executeTakeFirstOrThrow();
    expect(row).toMatchObject({ account_source: 'personal', account_type: 'personal', agent_id: admin.session?.agent_id });
    expect(row.password).toMatch(/^v1\./);
    expect(row.id_number).not.toContain('11010519491231002X');
    api.clock.advance(61);
    expect((await api.anonymous.call(authCalls.register, input('000000'))).code).toBe(10045);
    const second = await sms('register', '13700000001');
    expect((await api.anonymous.call(authCalls.register, input(second.sent, { sn: 'SN-1' }))).data).toEqual({
      fields: { account: '上网账号已存在' },
    });
  });

  it('adds the account prefix of the VNO, and returns the complete account', async () => {
    api.clock.advance(61);
    const agent_id = (await api.login('admin')).session?.agent_id ?? 0;
    const { id } = await api.db
      .insertInto('prefix')
      .values({ agent_id, prefix: 'yl', creator: '-', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await api.db.updateTable('agent').where('id', '=', agent_id).set({ prefix_id: id }).execute();
    const { sent } = await sms('register', '13700000002');
    const crew = { sn: 'SN-1', account: 'crew01', phone: '13700000002', id_type: 'seafarer', id_number: 'A1234567' };
    expect((await api.anonymous.call(authCalls.register, input(sent, crew))).data).toEqual({ account: 'ylcrew01' });
    const row = await api.db.selectFrom('subscriber').selectAll().where('account', '=', 'ylcrew01').executeTakeFirstOrThrow();
    expect(row).toMatchObject({ prefix_id: id, id_type: 'seafarer' });
    await api.db.updateTable('agent').where('id', '=', agent_id).set({ prefix_id: null }).execute();
  });

  it('is refused while it is disabled, and sends no code', async () => {
    const admin = await api.login('admin');
    expect((await admin.call(settingCalls.update, { self_register: false })).code).toBe(0);
    expect((await api.anonymous.call(authCalls.register, input('000000'))).code).toBe(10044);
    const phone = '13700000009';
    for (const sn of [undefined, 'SN-1'])
      expect((await api.anonymous.call(authCalls.sms, { type: 'register', phone, sn })).code).toBe(10044);
    expect(await api.db.selectFrom('sms_outbox').select('id').where('phone', '=', phone).execute()).toEqual([]);
  });
});
