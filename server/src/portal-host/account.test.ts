import { errors } from '@farlink/contract/errors.ts';
import { say } from '@farlink/contract/kit/text.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { userDetailCalls as detail } from '@farlink/contract/user/user-detail.ts';
import { texts } from '@farlink/portal/texts.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { must } from '../../test/payment/pay-world.ts';
import { crewPassword, type PortalWorld, startPortalWorld } from '../../test/portal.ts';
import { open } from '../kit/session/secret.ts';

let w: PortalWorld;
beforeAll(async () => {
  w = await startPortalWorld();
});
afterAll(() => w.close());
beforeEach(async () => {
  await w.api.db.deleteFrom('attempt').execute();
  await w.advance(61);
});

const png = async (name = 'photo.png') =>
  new File(
    [
      new Uint8Array(
        await sharp({ create: { width: 60, height: 40, channels: 3, background: '#2f6fed' } })
          .png()
          .toBuffer(),
      ),
    ],
    name,
    {
      type: 'image/png',
    },
  );

describe.each([
  ['zh', 1],
  ['en', 2],
] as const)('a registration (%s)', (lang, n) => {
  const person = { password: 'sailor-pass', name: '张三丰', phone: `1380000000${n}` };

  test('needs the captcha and the SMS code, and logs in the new subscriber of the gateway', async () => {
    const open = { register_place: 'device', self_register: true, sms_verify: true, realname: false, upload_photo: false } as const;
    must(await w.east.call(settingCalls.update, open));
    const entry = (await w.get(`?gw=${await w.signed(`02:00:00:00:01:0${n}`)}&lang=${lang}`)).location ?? '';
    const form = await w.get(`${entry}register`);
    expect(form.text).toContain('name="smscode"');
    const input = { ...person, account: `sailor0${n}` };
    expect((await w.postForm(`${entry}register/code`, input)).status).toBe(400);
    const sent = await w.postForm(`${entry}register/code`, { ...input, ...(await w.captcha(form)) });
    const code = /(\d{6})<\/p>/.exec(sent.text)?.[1] ?? '';
    expect(sent.text).toContain(`value="${input.account}"`);
    expect(sent.text).not.toContain(input.password);
    const wrong = await w.postForm(`${entry}register`, { ...input, smscode: '000000', ...(await w.captcha(sent)) });
    expect([wrong.status, wrong.text.includes('smscode-error')]).toEqual([422, true]);
    const done = await w.postForm(`${entry}register`, { ...input, smscode: code, ...(await w.captcha(wrong)) });
    expect(done.status).toBe(303);
    const row = await w.api.db.selectFrom('subscriber').selectAll().where('account', 'like', `%sailor0${n}`).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ agent_id: w.eastId, device_id: w.billing.device_id, account_source: 'personal', name: person.name });
    expect((await w.get(done.location ?? '')).text).toContain(row.account);
    const again = await w.get(`${entry}register`);
    expect(again.status).toBe(303);
  });

  test('shows errors at their fields, also for an account that exists', async () => {
    const place = { register_place: 'vno' } as const;
    must(await w.east.call(settingCalls.update, { ...place, self_register: true, sms_verify: false, realname: true, upload_photo: true }));
    const form = await w.get(`${lang}/register`);
    for (const name of ['id_number', 'photo']) expect(form.text).toContain(`name="${name}"`);
    const short = await w.postForm(`${lang}/register`, { ...person, account: 'a', ...(await w.captcha(form)) });
    expect([short.status, short.text.includes('register-account-error')]).toEqual([400, true]);
    const bare = await w.postForm(`${lang}/register`, { ...person, account: `fresh0${n}`, ...(await w.captcha(short)) });
    expect(bare.text).toContain('register-id_number-error');
    const whole = { ...person, id_type: 'passport', id_number: 'E12345678', photo: await png() };
    const existing = (await w.account()).account;
    const twice = await w.postForm(`${lang}/register`, { ...whole, account: existing, ...(await w.captcha(bare)) });
    expect([twice.status, twice.text.includes('register-account-error')]).toEqual([409, true]);
    const done = await w.postForm(`${lang}/register`, { ...whole, account: `fresh0${n}`, ...(await w.captcha(twice)) });
    expect(done.status).toBe(303);
    const row = await w.api.db.selectFrom('subscriber').selectAll().where('account', 'like', `%fresh0${n}`).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ device_id: null, device_group_id: null, whole_vno: true });
    const { data: state } = await w.east.call(detail.serviceStatus, { id: row.id });
    expect([state.sync.none, state.blocked?.reason]).toEqual(['never_seen', 'no_package']);
  });

  test('is refused at an address that is not behind a gateway, unless accounts are valid in the whole VNO', async () => {
    must(
      await w.east.call(settingCalls.update, {
        register_place: 'device',
        self_register: true,
        sms_verify: false,
        realname: false,
        upload_photo: false,
      }),
    );
    w.api.clock.advance(6);
    const home = (await w.get(`${lang}/`)).text;
    expect(home).not.toContain(`${lang}/register"`);
    expect(home).toContain(say(texts.registerOnNetwork, lang));
    const page = await w.get(`${lang}/register`);
    expect([page.status, page.text.includes(errors.registration_no_place.text[n - 1] ?? '-')]).toEqual([403, true]);
    expect((await w.postForm(`${lang}/register`, { ...person, account: 'nowhere01' })).status).toBe(403);
    const entry = (await w.get(`?gw=${await w.signed(`02:00:00:00:02:0${n}`)}&lang=${lang}`)).location ?? '';
    const onNetwork = (await w.get(entry)).text;
    expect(onNetwork).toContain('register"');
    expect(onNetwork).not.toContain(say(texts.registerOnNetwork, lang));
  });

  test('binds the account to the group of the gateway if the VNO says so', async () => {
    must(await w.east.call(settingCalls.update, { register_place: 'group', sms_verify: false }));
    const fleet = { agent_id: w.eastId, name: `Fleet ${lang}`, create_at: 1 };
    const { id } = await w.api.db.insertInto('device_group').values(fleet).returning('id').executeTakeFirstOrThrow();
    const place = (device_group_id: number | null) =>
      w.api.db.updateTable('device').set({ device_group_id }).where('id', '=', w.billing.device_id).execute();
    await place(id);
    const entry = (await w.get(`?gw=${await w.signed(`02:00:00:00:03:0${n}`)}&lang=${lang}`)).location ?? '';
    const form = await w.get(`${entry}register`);
    const done = await w.postForm(`${entry}register`, { ...person, account: `fleet0${n}`, ...(await w.captcha(form)) });
    expect(done.status).toBe(303);
    const row = await w.api.db.selectFrom('subscriber').selectAll().where('account', 'like', `%fleet0${n}`).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ device_id: null, device_group_id: id, whole_vno: false });
    await place(null);
  });

  test('is refused if the VNO has disabled it', async () => {
    must(await w.east.call(settingCalls.update, { self_register: false, sms_verify: n === 1 }));
    w.api.clock.advance(6);
    expect((await w.get(`${lang}/`)).text).toContain(say(texts.registerClosed, lang));
    expect((await w.get(`${lang}/register`)).status).toBe(403);
    expect((await w.postForm(`${lang}/register`, { ...person, account: 'closed01' })).status).toBe(403);
    must(await w.east.call(settingCalls.update, { self_register: true }));
  });
});

describe('the password of a subscriber', () => {
  test('can be changed with the current password, and other logins end', async () => {
    const account = await w.account();
    const here = await w.enter(account.account);
    const elsewhere = await w.enter(account.account);
    const change = (old_password: string, password: string, password_again = password) =>
      w.post(`${here}password`, { old_password, password, password_again });
    expect((await change(crewPassword, 'short')).text).toContain('password-password-error');
    expect((await change(crewPassword, 'new-secret-1', 'new-secret-2')).text).toContain('两次输入的密码不一致');
    expect((await change('guess', 'new-secret-1')).text).toContain('原密码错误');
    expect((await change(crewPassword, 'new-secret-1')).text).toContain('密码已修改');
    const row = await w.billing.account(account.id);
    expect(open(w.api.deps.config.secretKey, row.password)).toBe('new-secret-1');
    // Gateways get a new verifier.
    expect(row.verifier).toBeNull();
    expect((await w.get(`${here}devices`)).status).toBe(200);
    expect((await w.get(`${elsewhere}devices`)).status).toBe(401);
  });
});

describe('own devices', () => {
  test('are listed, and one is logged out by its gateway; devices of others are not found', async () => {
    const mine = await w.account({ allow_logins: 2 });
    const other = await w.account();
    const add = (subscriber_id: number, session_id: string, mac: string) =>
      w.api.db
        .insertInto('online_session')
        .values({ subscriber_id, session_id, mac, agent_id: w.eastId, device_id: w.billing.device_id, ip: '192.168.1.2', login_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
    const own = await add(mine.id, 'd-1', '02:00:00:00:02:01');
    const foreign = await add(other.id, 'd-2', '02:00:00:00:02:02');
    const home = await w.enter(mine.account, crewPassword, 'en/');
    const page = await w.get(`${home}devices`);
    expect(page.text).toContain('02:00:00:00:02:01');
    expect(page.text).not.toContain('02:00:00:00:02:02');
    expect((await w.post(`${home}logout`, { session: String(foreign.id) })).status).toBe(404);
    expect((await w.post(`${home}logout`, { session: String(own.id) })).text).toContain('The device is being logged out');
    expect((await w.commands('user.kick')).map(({ args }) => args)).toEqual([{ sid: 'd-1' }]);
  });
});

describe('feedback', () => {
  const report = { type: 'network', level: 'urgent', content: 'The link is <slow>', phone: '13800000000' };

  test('is sent with images, and its answer is shown', async () => {
    const account = await w.account();
    const home = await w.enter(account.account, crewPassword, 'en/');
    const sent = await w.postForm(`${home}feedback`, { ...report, file: [await png('a.png'), await png('b.png')] });
    expect(sent.text).toContain('Thank you. Your report was sent.');
    expect(sent.text).toContain('The link is &lt;slow&gt;');
    const row = await w.api.db.selectFrom('feedback').selectAll().where('subscriber_id', '=', account.id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ agent_id: w.eastId, account: account.account, attach_count: 2, type: 'network', level: 'urgent' });
    await w.api.db
      .updateTable('feedback')
      .set({ status: 1, remark: 'Repaired', handle_at: 5, handler: 'x' })
      .where('id', '=', row.id)
      .execute();
    expect((await w.get(`${home}feedback`)).text).toContain('Repaired');
  });

  test('with a wrong file, too many files or no text is refused at its field', async () => {
    const home = await w.enter((await w.account()).account);
    const html = new File(['<script>'], 'x.png', { type: 'image/png' });
    expect((await w.postForm(`${home}feedback`, { ...report, file: html })).text).toContain('feedback-file-error');
    const many = await Promise.all(Array.from({ length: 4 }, () => png()));
    expect((await w.postForm(`${home}feedback`, { ...report, file: many })).text).toContain('feedback-file-error');
    const empty = await w.postForm(`${home}feedback`, { ...report, content: ' ' });
    expect([empty.status, empty.text.includes('class="wrong"')]).toEqual([400, true]);
  });

  test('of a visitor needs a captcha', async () => {
    const form = await w.get('zh/feedback');
    expect((await w.postForm('zh/feedback', report)).status).toBe(400);
    expect((await w.postForm('zh/feedback', { ...report, ...(await w.captcha(form)) })).text).toContain('反馈已提交');
  });
});

test('notices and the agreement have their pages', async () => {
  const now = w.api.clock.now();
  const notice = {
    title: 'Maintenance',
    content: 'Tonight',
    target: 'subscriber' as const,
    publisher: 'x',
    create_at: now,
    update_at: now,
  };
  await w.api.db
    .insertInto('notice')
    .values({ ...notice, agent_id: w.eastId, send_at: now, expire_at: now + 1000 })
    .execute();
  expect((await w.get('en/notices')).text).toContain('Maintenance');
  expect((await w.get('en/agreement')).text).toContain('Please use the network lawfully');
});
