import { addCalls } from '@farlink/contract/user/add.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, grantsOf, type Reply, readReply, startApi } from '../../../test/api.ts';
import { type BillingFixture, day, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches, makeRole, makeStaff } from '../../../test/world.ts';
import { sealedIdNumber } from '../../domain/subscriber/insert-subscribers.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { cleanupJobs } from '../../kit/jobs/cleanup.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { open } from '../../kit/session/secret.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

const idNumber = '11010519491231002X';
const makeUser = (more: Parameters<BillingFixture['makeAccount']>[0] = {}) =>
  billing.makeAccount({ phone: '13812340001', ...sealedIdNumber(api.deps.config.secretKey, idNumber), ...more });
const formOf = async (id: number, by: Caller = world.east) => (await by.call(calls.read, { id })).data;
const save = async (id: number, more: object, by: Caller = world.east) => by.call(calls.update, { ...(await formOf(id, by)), id, ...more });
const policyLogs = (id: number) => api.db.selectFrom('policy_log').selectAll().where('subscriber_id', '=', id).execute();
const lastLog = (id: number) =>
  api.db.selectFrom('syslog').selectAll().where('subject', '=', `subscriber:${id}`).orderBy('id', 'desc').executeTakeFirstOrThrow();

/** Sends a multipart form with a file, as a browser does. */
const sendForm = async <T>(
  by: Caller,
  method: 'POST' | 'PUT',
  path: string,
  values: object,
  photo?: [Buffer, string],
): Promise<Reply<T>> => {
  const form = new FormData();
  for (const [name, value] of Object.entries({ lang: 'zh', ...values }))
    if (value !== undefined) form.append(name, value === null ? '' : String(value));
  if (photo) form.append('photo', new Blob([new Uint8Array(photo[0])]), photo[1]);
  const response = await fetch(`${api.base}/agt/v1/${path}`, { method, body: form, headers: { authorization: by.session?.token ?? '' } });
  return readReply(response);
};
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452000000be0000003c0806000000', 'hex'), Buffer.alloc(100)]);
const fetchPhoto = (by: Caller, id: number) =>
  fetch(`${api.base}/agt/v1/user/${id}/photo`, { headers: { authorization: by.session?.token ?? '' } });

describe('changing an account', () => {
  it('keeps masked values that are sent back unchanged, and logs no plain phone or ID number', async () => {
    const { id } = await makeUser();
    expect(await save(id, {})).toMatchObject({ code: 10011, msg: '您未做任何修改' });
    expect((await save(id, { name: '新名字', email: 'a@b.cn', remark: '备注' })).code).toBe(0);
    const after = await billing.account(id);
    expect(after).toMatchObject({ name: '新名字', phone: '13812340001', email: 'a@b.cn', version: 2 });
    expect(open(api.deps.config.secretKey, after.id_number ?? '')).toBe(idNumber);
    expect((await lastLog(id)).after).toEqual({ name: '新名字', email: 'a@b.cn', remark: '备注' });
    expect((await save(id, { phone: '13812349999', id_number: '440301199001011234' })).code).toBe(0);
    const log = await lastLog(id);
    expect(log.before).toEqual({ phone: '138****0001', id_number: '110105********002X' });
    expect(log.after).toEqual({ phone: '138****9999', id_number: '440301********1234' });
    expect((await world.east.call(calls.list, { id_number: '440301199001011234' })).data.total).toBe(1);
  });

  it('refuses a mask that does not match the stored value', async () => {
    const { id } = await makeUser();
    expect((await save(id, { phone: '139****0001' })).data).toEqual({ fields: { phone: '仅限数字、加号、连字符，最多32位' } });
    expect((await save(id, { id_number: '440301********1234' })).data).toEqual({ fields: { id_number: '身份证号码格式不正确' } });
    expect((await save(id, { phone: 'x' })).data).toHaveProperty('fields.phone');
    const bare = await makeUser({ id_number: null, id_number_hash: null });
    expect((await save(bare.id, { id_number: '110105********002X' })).data).toHaveProperty('fields.id_number');
    expect((await save((await makeUser({ account_type: 'job', id_number: null })).id, { name: '工作号' })).code).toBe(0);
  });

  it('does not require an ID number that was never set, and does not remove a required one', async () => {
    const bare = await makeUser({ id_number: null, id_number_hash: null });
    expect((await save(bare.id, { name: '无证' })).code).toBe(0);
    expect((await save((await makeUser()).id, { id_number: '' })).data).toEqual({ fields: { id_number: '请输入证件号码' } });
  });

  it('checks a masked number against a new document type', async () => {
    const { id } = await makeUser();
    expect((await save(id, { id_type: 'passport', id_number: 'E12345678' })).code).toBe(0);
    expect(await formOf(id)).toMatchObject({ id_type: 'passport', id_number: 'E****78' });
    expect((await save(id, { id_type: 'id_card' })).data).toEqual({ fields: { id_number: '身份证号码格式不正确' } });
  });

  it('is refused if it was changed in the meantime', async () => {
    const { id } = await makeUser();
    const form = await formOf(id);
    expect((await world.east.call(calls.passwd, { ids: [id], password: 'abc123', repassword: 'abc123' })).data.success).toBe(1);
    expect((await world.east.call(calls.update, { ...form, id, name: '迟了' })).code).toBe(10010);
    const now = await formOf(id);
    const both = await Promise.all(['甲方', '乙方'].map((name) => world.east.call(calls.update, { ...now, id, name })));
    expect(both.map((b) => b.code).sort()).toEqual([0, 10010]);
  });

  it('refuses several logins with bound addresses, and clears addresses that are left empty', async () => {
    const { id } = await makeUser({ bind_ip: '10.0.0.1', bind_mac: 'aa:bb:cc:dd:ee:ff', vlan_id: 7 });
    expect((await save(id, { allow_logins: 2 })).data).toHaveProperty('fields.bind_ip');
    expect((await save(id, { allow_logins: 2, bind_ip: undefined, bind_mac: undefined, vlan_id: undefined })).code).toBe(0);
    expect(await billing.account(id)).toMatchObject({ allow_logins: 2, bind_ip: null, bind_mac: null, vlan_id: null });
  });

  it('moves it to another device of its VNO and updates the gateway', async () => {
    const { id } = await makeUser();
    const device = await billing.makeDevice();
    expect((await save(id, { device_id: device })).code).toBe(0);
    expect(await policyLogs(id)).toMatchObject([{ device_id: device, policy_source: 'device_local' }]);
    const west = await makeBillingFixture(api, world.westId, 'West');
    expect((await save(id, { device_id: west.device_id })).data).toHaveProperty('fields.device_id');
    expect((await save(id, { device_id: west.device_id }, world.admin)).data).toEqual({
      fields: { device_id: '只能绑定该账号所属VNO的设备或设备组' },
    });
  });

  it('reactivates an expired account with a later expiry, and refuses an expiry in the past', async () => {
    const now = api.clock.now();
    const { id } = await makeUser({ status: 'expired', expire_at: now - 10 });
    expect((await save(id, { name: '仅改名' })).code).toBe(0);
    expect(await billing.account(id)).toMatchObject({ status: 'expired' });
    expect((await save(id, { expire_at: now - 5 })).data).toEqual({ fields: { expire_at: '到期时间须晚于当前时间' } });
    expect((await save(id, { expire_at: now + day })).code).toBe(0);
    expect(await billing.account(id)).toMatchObject({ status: 'normal', expire_at: now + day });
    const disabled = await makeUser({ status: 'disabled' });
    expect((await save(disabled.id, { expire_at: now + day })).code).toBe(0);
    expect(await billing.account(disabled.id)).toMatchObject({ status: 'disabled' });
  });

  it('switches the custom policy and clears it', async () => {
    const application = await api.db
      .insertInto('application')
      .values({ agent_id: world.eastId, name: '办公', mode: 1, configure: ['9.197'], create_at: 1, update_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    const { id } = await makeUser();
    expect((await save(id, { custom_policy: true, application_id: application.id })).code).toBe(0);
    expect(await policyLogs(id)).toMatchObject([{ policy_source: 'user_defined', application_name: '办公', content: '办公', mode: 1 }]);
    expect((await save(id, { custom_policy: false, application_id: application.id })).code).toBe(0);
    expect(await billing.account(id)).toMatchObject({ custom_policy: false, application_id: null });
  });

  it('is refused to other branches and to a view-only role', async () => {
    const { id } = await makeUser();
    const form = await formOf(id);
    expect((await world.west.call(calls.update, { ...form, id, name: '偷改' })).code).toBe(10005);
    await makeStaff(world.east, 'reader', await makeRole(world.east, '只看', grantsOf(['user_list'], '10')));
    expect((await (await api.login('reader')).call(calls.update, { ...form, id, name: '偷改' })).code).toBe(10006);
  });
});

describe('a photo', () => {
  const files = async () =>
    (await api.db.selectFrom('job').selectAll().where('kind', '=', 'remove_file').orderBy('id').execute()).map((j) => j.state);

  it('is uploaded with the form, visible only to sessions of its branch, and deleted after replacement', async () => {
    const { id } = await makeUser();
    const put = async (more: object, photo?: [Buffer, string]) =>
      sendForm(world.east, 'PUT', `user/${id}`, { ...(await formOf(id)), ...more }, photo);
    expect((await put({}, [png, '照片.png'])).code).toBe(0);
    const first = (await billing.account(id)).photo_key ?? '';
    expect((await formOf(id)).photo).toBe(`user/${id}/photo`);
    const shown = await fetchPhoto(world.east, id);
    expect([shown.headers.get('content-type'), Buffer.from(await shown.arrayBuffer()).equals(png)]).toEqual(['image/png', true]);
    expect((await fetchPhoto(world.west, id)).status).toBe(404);
    expect((await fetchPhoto(api.anonymous, id)).status).toBe(401);
    expect((await put({ name: '照片还在' })).code).toBe(0);
    expect((await billing.account(id)).photo_key).toBe(first);
    expect((await put({}, [png, 'b.png'])).code).toBe(0);
    expect((await put({ photo_remove: 1 })).code).toBe(0);
    expect(await billing.account(id)).toMatchObject({ photo_key: null, photo_name: null });
    expect((await fetchPhoto(world.east, id)).status).toBe(404);
    const jobs = startJobs(api.deps, cleanupJobs, { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
    await expect(openFileStore(api.deps.config).size(first)).rejects.toMatchObject({ reason: 'not_found' });
  });

  it('must be a small image with a short file name', async () => {
    const { id } = await makeUser();
    const form = await formOf(id);
    const put = (photo: [Buffer, string]) => sendForm(world.east, 'PUT', `user/${id}`, form, photo);
    expect((await put([Buffer.from('<svg onload=alert(1)>'), 'a.png'])).code).toBe(10003);
    expect((await put([png, 'a.gif'])).code).toBe(10003);
    expect((await put([png, `${'长'.repeat(24)}.png`])).data).toHaveProperty('fields.photo');
    expect((await put([Buffer.concat([png, Buffer.alloc(2 * 1024 * 1024)]), 'a.png'])).code).toBe(10002);
    expect((await billing.account(id)).photo_key).toBeNull();
  });

  it('of a failed account opening is deleted', async () => {
    const pkg = await billing.makePackage();
    const input = {
      account_source: 'counter',
      account_type: 'personal',
      password: 'sea1234',
      repassword: 'sea1234',
      name: '王小明',
      phone: '13800000001',
      id_number: idNumber,
      allow_logins: 1,
      bind_type: 'device',
      device_id: billing.device_id,
      package_id: pkg.id,
      expire_at: api.clock.now() + day,
    };
    const before = (await files()).length;
    const { path } = addCalls.add;
    expect((await sendForm(world.east, 'POST', path, { ...input, account: 'pictured' }, [png, 'a.png'])).code).toBe(0);
    expect((await files()).slice(before)).toEqual(['cancelled']);
    expect((await sendForm(world.east, 'POST', path, { ...input, account: 'PICTURED' }, [png, 'a.png'])).code).toBe(10013);
    expect((await files()).slice(before)).toEqual(['cancelled', 'waiting']);
    const orphan = await api.db
      .selectFrom('job')
      .select('payload')
      .where('kind', '=', 'remove_file')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    const key = (orphan.payload as { key: string }).key;
    expect(await openFileStore(api.deps.config).size(key)).toBe(png.length);
    api.clock.advance(3600);
    const jobs = startJobs(api.deps, cleanupJobs, { pollMs: 0 });
    await jobs.tick();
    await jobs.stop();
    await expect(openFileStore(api.deps.config).size(key)).rejects.toMatchObject({ reason: 'not_found' });
    const stored = await api.db.selectFrom('subscriber').select('photo_key').where('account', '=', 'pictured').executeTakeFirstOrThrow();
    expect(await openFileStore(api.deps.config).size(stored.photo_key ?? '')).toBe(png.length);
  });
});
