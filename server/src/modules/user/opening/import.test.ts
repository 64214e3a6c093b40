import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { errors } from '@farlink/contract/errors.ts';
import { shape } from '@farlink/contract/kit/endpoint.ts';
import type { Values } from '@farlink/contract/kit/values.ts';
import { packageCalls } from '@farlink/contract/package/package.ts';
import { importCall, importFields } from '@farlink/contract/user/import-user.ts';
import { type OpeningResult, openingCalls } from '@farlink/contract/user/opening.ts';
import { settingCalls } from '@farlink/contract/user/setting.ts';
import { openConfigCalls } from '@farlink/contract/user/user-account.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { type Api, allPages, type Caller, grantsOf, type Reply, readReply, startApi } from '../../../../test/api.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { checkLedger } from '../../../domain/ledger/check-ledger.ts';
import { csv } from '../../../kit/formats/csv.ts';
import { dayIn } from '../../../kit/formats/import-sheet.ts';
import { xlsx } from '../../../kit/formats/xlsx.ts';
import { type JobRunner, startJobs } from '../../../kit/jobs/job-runner.ts';
import { open } from '../../../kit/session/secret.ts';
import { openingJobs } from './opening-job.ts';
import { importColumns } from './sheet-rows.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let jobs: JobRunner;
let device: number;
let pkg: number;

beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  jobs = startJobs(api.deps, openingJobs, { pollMs: 0, beatMs: 60_000 });
  const made = { agent_id: world.eastId, name: 'Ship', sn: 'E-1', create_at: 1 };
  device = (await api.db.insertInto('device').values(made).returning('id').executeTakeFirstOrThrow()).id;
  const flow = { package_type: 'flow', flow_capacity: 10, flow_unit: 'GB', up_speed: 0, down_speed: 0, priority: 10, online_type: 0 };
  pkg = (await world.east.call(packageCalls.create, { ...flow, name: '包月', price: '10', bind_type: 'device', device_id: [device] })).data
    .id;
});
afterAll(async () => {
  await jobs.stop();
  await api.close();
});

type Line = Partial<Record<keyof typeof importFields, string>>;
const zhHeader = importColumns.map((name) => `${importFields[name].label[0]}${importFields[name].required ? '*' : ''}`);
const good = (n: number, more: Line = {}): Line => ({
  account: `crew${String(n).padStart(5, '0')}`,
  password: `Secret${n}`,
  name: `船员${n}`,
  phone: '13800000000',
  id_number: '11010519491231002X',
  ...more,
});
const cellsOf = (line: Line) => importColumns.map((name) => line[name] ?? '');
async function* once<T>(rows: T) {
  yield rows;
}
const asXlsx = (lines: readonly Line[], header: readonly string[] = zhHeader) =>
  buffer(Readable.from(xlsx(header, once(lines.map(cellsOf)))));
const asCsv = (lines: readonly Line[], header: readonly string[] = zhHeader) =>
  buffer(Readable.from(csv(header, once(lines.map(cellsOf)))));

/** Sends a multipart form with a file, as the console does. */
const send = async (file: Buffer | string, name: string, more: Values = {}, by: Caller = world.east): Promise<Reply<OpeningResult>> => {
  const form = new FormData();
  const fields: Values = { uid: by.session?.uid, lang: 'zh', bind_type: 'device', device_id: device, package_id: pkg, ...more };
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) form.append(key, String(value));
  form.append('file', new Blob([new Uint8Array(Buffer.from(file))]), name);
  const headers = { authorization: by.session?.token ?? '' };
  return readReply(await fetch(`${api.base}/agt/v1/user/import`, { method: 'POST', headers, body: form }));
};
const download = async (path: string, by: Caller = world.east, lang = 'zh') =>
  fetch(`${api.base}/agt/v1/${path}${path.includes('?') ? '&' : '?'}lang=${lang}&uid=${by.session?.uid}`, {
    headers: { authorization: by.session?.token ?? '' },
  });
const find = (account: string) => api.db.selectFrom('subscriber').selectAll().where('account', '=', account).executeTakeFirst();
const count = async () =>
  Number(
    (
      await api.db
        .selectFrom('subscriber')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );
const billOf = (id: number) => api.db.selectFrom('ledger_entry').selectAll().where('cause', '=', `import:${id}`).executeTakeFirst();

describe('an account import file', () => {
  it('is imported with all fields of the account form, and billed once', async () => {
    const whole = good(1, {
      account_type: '海事船员账号',
      email: 'a@b.cn',
      cert_start_at: '2020/1/2',
      cert_end_at: '2040年1月2日',
      issuing_authority: '某某公安局',
      allow_logins: '1',
      bind_ip: '10.0.0.9',
      bind_mac: 'AA:BB:CC:DD:EE:FF',
      vlan_id: '7',
      expire_at: '2040-12-31',
      remark: '轮机',
    });
    const { code, data } = await send(await asXlsx([whole, good(2, { account_type: 'job', id_number: '' })]), 'users.xlsx');
    expect(code).toBe(0);
    expect(data).toMatchObject({ total: 2, success: 2, fail: 0, errors: [], job_id: null });
    const row = await find('crew00001');
    expect(row).toMatchObject({
      agent_id: world.eastId,
      device_id: device,
      account_source: 'batch',
      account_type: 'maritime_crew',
      name: '船员1',
      email: 'a@b.cn',
      cert_start_at: Date.UTC(2020, 0, 2, 15, 59, 59) / 1000,
      bind_ip: '10.0.0.9',
      bind_mac: 'aa:bb:cc:dd:ee:ff',
      vlan_id: 7,
      expire_at: Date.UTC(2040, 11, 31, 15, 59, 59) / 1000,
      remark: '轮机',
      package_id: pkg,
    });
    expect(open(api.deps.config.secretKey, row?.password ?? '')).toBe('Secret1');
    expect(open(api.deps.config.secretKey, row?.id_number ?? '')).toBe('11010519491231002X');
    expect(await find('crew00002')).toMatchObject({ account_type: 'job', package_id: pkg });
    // A job account gets its package without a sale and is not on the bill.
    expect(await billOf(data.id)).toMatchObject({ income: '10.00', count: 1, account: 'crew00001', pay_method: 'cash' });
  });

  it('gets the prefix of the VNO for accounts without it, and may contain passport numbers', async () => {
    const agent = api.db.updateTable('agent').where('id', '=', world.eastId);
    const { id } = await api.db
      .insertInto('prefix')
      .values({ agent_id: world.eastId, prefix: 'bs', creator: '-', create_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow();
    await agent.set({ prefix_id: id }).execute();
    const lines = [
      good(81, { id_type: '护照', id_number: 'E12345678' }),
      good(82, { account: 'bs_own82' }),
      good(83, { account: 'a'.repeat(19) }),
      good(84, { id_number: '110105194912310021' }),
    ];
    const { data } = await send(await asXlsx(lines), 'prefixed.xlsx');
    await agent.set({ prefix_id: null }).execute();
    expect(data).toMatchObject({ success: 2, fail: 2 });
    expect(await find('bscrew00081')).toMatchObject({ prefix_id: id, id_type: 'passport' });
    expect(await find('bs_own82')).toMatchObject({ prefix_id: id, id_type: 'id_card' });
    expect(data.errors.map((e) => e.message)).toEqual(['上网账号：前缀“bs”占2位，账号最多再输入18位', '证件号码：身份证号码格式不正确']);
  });

  it('may be CSV in UTF-8 or GB18030, with the header in either language and columns in any order', async () => {
    expect((await send(await asCsv([good(11)]), 'users.csv')).data).toMatchObject({ success: 1 });
    const gb = Buffer.from('c9cfcdf8d5cbbac52cc9cfcdf8c3dcc2eb2cd0d5c3fb2cd6a4bcfebac5c2eb2ccad6bbfabac50a', 'hex');
    const line = Buffer.concat([
      Buffer.from('gbcrew01,Secret1,'),
      Buffer.from('d5c5c8fd', 'hex'),
      Buffer.from(',11010519491231002X,13900000001'),
    ]);
    expect((await send(Buffer.concat([gb, line]), 'users.csv')).data).toMatchObject({ success: 1 });
    expect(await find('gbcrew01')).toMatchObject({ name: '张三', phone: '13900000001' });
    const english =
      'Phone,Online account *,Internet password,Full name,ID number,Account type\n139,encrew01,Secret1,Li Lei,11010519491231002X,Maritime (crew)';
    expect((await send(english, 'users.csv')).data).toMatchObject({ success: 1 });
    expect(await find('encrew01')).toMatchObject({ name: 'Li Lei', account_type: 'maritime_crew' });
  });

  it('has the errors of invalid lines reported, and the other lines imported', async () => {
    const lines = [
      good(21),
      good(22, { account: 'x!' }),
      good(23, { password: '123', phone: 'abc' }),
      good(24, { id_number: '' }),
      good(25, { allow_logins: '2', bind_ip: '10.0.0.1' }),
      good(26, { account_type: '外星人' }),
      good(27, { expire_at: '2001-01-01' }),
      good(28, { expire_at: '明天' }),
      good(21, { account: 'CREW00021' }),
      good(1),
      good(29, { cert_start_at: '2030-01-01', cert_end_at: '2029-01-01' }),
      good(30, { expire_at: '20300101' }),
    ];
    const { data } = await send(await asXlsx(lines), 'users.xlsx');
    expect(data).toMatchObject({ total: 12, success: 1, fail: 11 });
    expect(data.errors.map((e) => [e.row, e.message])).toEqual([
      [3, '上网账号：连同前缀4-20位，不能包含特殊字符'],
      [4, '上网密码：6-18位；手机号：仅限数字、加号、连字符，最多32位'],
      [5, '证件号码：请输入证件号码'],
      [6, '绑定IP：允许登录数大于1时不能绑定IP/MAC/VLAN'],
      [7, '账号类型：请选择账号类型'],
      [8, '到期时间须晚于当前时间'],
      [9, '账号到期时间：格式不正确'],
      [10, '与第2行的账号重复'],
      [11, '上网账号已存在'],
      [12, '证件有效期止：开始时间必须早于结束时间'],
      [13, '账号到期时间：格式不正确'],
    ]);
  });

  it('gets an error report that can be corrected and imported again', async () => {
    const { data } = await send(await asCsv([good(41), good(42, { phone: '坏' })]), 'users.csv', { lang: 'en' });
    expect(data.errors).toEqual([{ row: 3, account: 'crew00042', message: 'Phone: Digits, plus and hyphen only, at most 32' }]);
    expect((await world.east.call(openingCalls.read, { id: data.id })).data).toMatchObject({ report: true, way: 'open_import' });
    const reply = await download(`user/opening/report/${data.id}?format=csv`);
    expect(reply.headers.get('content-disposition')).toContain(encodeURIComponent('导入失败清单'));
    const text = await reply.text();
    expect(text).toContain('失败原因');
    expect(text).toContain('crew00042,Secret42,船员42,坏');
    expect((await send(text.replace('坏', '+8613800000042'), 'mended.csv')).data).toMatchObject({ total: 1, success: 1 });
    expect(await find('crew00042')).toMatchObject({ phone: '13800000042' });
    const xlsxReply = await download(`user/opening/report/${data.id}`);
    const again = await send(Buffer.from(await xlsxReply.arrayBuffer()), 'report.xlsx');
    expect(again.data).toMatchObject({ total: 1, fail: 1 });
    expect((await download(`user/opening/report/${data.id}`, world.west)).status).toBe(404);
    const clean = await send(await asCsv([good(43)]), 'users.csv');
    expect((await download(`user/opening/report/${clean.data.id}`)).status).toBe(422);
  });

  it('is imported completely or not at all in atomic mode', async () => {
    const before = await count();
    const lines = [good(51), good(52, { phone: '' }), good(53)];
    const { data } = await send(await asXlsx(lines), 'users.xlsx', { atomic: true });
    expect(data).toMatchObject({ total: 3, success: 0, fail: 3 });
    expect(data.errors).toEqual([{ row: 3, account: 'crew00052', message: '手机号：请输入手机号' }]);
    expect(await count()).toBe(before);
    expect(await billOf(data.id)).toBeUndefined();
    expect((await send(await asXlsx([good(51), good(53)]), 'users.xlsx', { atomic: true, pay_method: 'free' })).data).toMatchObject({
      success: 2,
    });
  });

  it('gets missing values from the settings and the opening configuration of the account type', async () => {
    await world.east.call(settingCalls.update, { allow_logins: 3 });
    const [personal] = (await world.east.call(openConfigCalls.list, { account_type: 'personal', vno_id: world.eastId })).data.list;
    const form = (await world.east.call(openConfigCalls.read, { id: personal?.id })).data;
    expect((await world.east.call(openConfigCalls.update, { ...form, realname: false, valid_days: 10 })).code).toBe(0);
    expect((await send(await asCsv([good(61, { id_number: '' })]), 'users.csv')).data).toMatchObject({ success: 1 });
    expect(await find('crew00061')).toMatchObject({ allow_logins: 3, id_number: null, expire_at: api.clock.now() + 10 * 86_400 });
    const bound = await send(await asCsv([good(62, { bind_ip: '10.0.0.3' })]), 'users.csv');
    expect(bound.data.errors[0]?.message).toBe('绑定IP：允许登录数大于1时不能绑定IP/MAC/VLAN');
  });
});

describe('an invalid import file', () => {
  it('is refused with the file format error for each kind of defect', async () => {
    const faults: [file: Buffer | string, name: string][] = [
      ['a,b,c\n1,2,3', 'users.csv'],
      ['上网账号,上网密码,姓名\nx,y,z', 'users.csv'],
      ['', 'users.csv'],
      ['上网账号,上网密码,姓名,手机号\n', 'users.csv'],
      ['上网账号,"上网密码', 'users.csv'],
      [Buffer.from('PK'), 'users.xlsx'],
      ['hello', 'users.pdf'],
      ['hello', 'users.xls'],
      [Buffer.from([0, 1, 2, 3]), 'users.csv'],
      [
        await asXlsx(
          [good(1)],
          zhHeader.map((h) => `${h}?`),
        ),
        'users.xlsx',
      ],
    ];
    for (const [file, name] of faults) {
      const reply = await send(file, name);
      expect(reply, `${name} ${String(file).slice(0, 30)}`).toMatchObject({ code: 10003, msg: '文件格式错误' });
      expect(reply.data).toHaveProperty('fields.file');
    }
    const missing = await world.east.call(
      { ...importCall, shape: shape<unknown>() },
      { bind_type: 'device', device_id: device, package_id: pkg },
    );
    expect(missing.data).toEqual({ fields: { file: '请选择导入文件' } });
  });

  it('is refused if it is a ZIP bomb', async () => {
    const zip = new ZipFile();
    for (const name of ['[Content_Types].xml', 'xl/workbook.xml']) zip.addBuffer(Buffer.from('<a/>'), name);
    zip.addBuffer(Buffer.alloc(30 * 1024 * 1024, '0'), 'xl/worksheets/sheet1.xml');
    zip.end();
    expect(await send(await buffer(zip.outputStream), 'bomb.xlsx')).toMatchObject({ code: 10003 });
  });

  it('is refused above 20,000 lines, and if two files are sent', async () => {
    const many = `上网账号,上网密码,姓名,手机号\n${'abcd,secret,某人,139\n'.repeat(20_001)}`;
    expect((await send(many, 'users.csv')).data).toEqual({ fields: { file: '一次最多导入20000行' } });
    const form = new FormData();
    for (const [key, value] of Object.entries({ bind_type: 'device', device_id: device, package_id: pkg })) form.append(key, String(value));
    for (const name of ['a.csv', 'b.csv']) form.append('file', new Blob([new Uint8Array(Buffer.from('a'))]), name);
    const headers = { authorization: world.east.session?.token ?? '' };
    const reply = await readReply(await fetch(`${api.base}/agt/v1/user/import`, { method: 'POST', headers, body: form }));
    expect(reply.code).toBe(10001);
    expect(reply.data).toHaveProperty('fields.file');
  });

  it('opens no account without the right, or with a device of another branch, an unknown package or no device group', async () => {
    const file = await asCsv([good(71)]);
    const pages: readonly string[] = importCall.access;
    const others = allPages.filter((page) => !pages.includes(page));
    await makeStaff(world.east, 'no_import', await makeRole(world.east, '无导入', grantsOf(others)));
    await makeStaff(world.east, 'read_import', await makeRole(world.east, '只看', grantsOf(pages, '10')));
    for (const name of ['no_import', 'read_import'])
      expect((await send(file, 'users.csv', {}, await api.login(name))).code, name).toBe(errors.denied.code);
    expect((await send(file, 'users.csv', {}, world.west)).data).toHaveProperty('fields.device_id');
    expect((await send(file, 'users.csv', { package_id: 999_999 })).data).toHaveProperty('fields.package_id');
    expect((await send(file, 'users.csv', { bind_type: 'group', device_id: undefined })).data).toHaveProperty('fields.device_group_id');
    expect(await find('crew00071')).toBeUndefined();
  });
});

describe('the import template', () => {
  it('is in the language of the reader, and is refused as empty if it is imported unchanged', async () => {
    for (const [lang, title] of [
      ['zh', '用户导入模板.xlsx'],
      ['en', 'user-import-template.xlsx'],
    ] as const) {
      const reply = await download('user/export/demo', world.east, lang);
      expect(reply.headers.get('content-disposition')).toContain(encodeURIComponent(title));
      const again = await send(Buffer.from(await reply.arrayBuffer()), 'template.xlsx');
      expect(again).toMatchObject({ code: 10003, data: { fields: { file: '文件中没有数据' } } });
    }
  });
});

describe('an import of thousands of accounts', () => {
  it('runs in the background, with every error in its report and one bill', { tags: 'all' }, async () => {
    const before = await count();
    const lines = Array.from({ length: 2000 }, (_, i) => {
      const n = 10_000 + i;
      if (i % 10 === 3) return good(n, { phone: '' });
      if (i % 10 === 6) return good(10_000 + i - 1);
      return i % 100 === 0 ? good(1) : good(n);
    });
    const { data } = await send(await asXlsx(lines), 'users.xlsx');
    expect(data).toMatchObject({ total: 2000, success: 0, fail: 0, job_id: data.id });
    const waiting = await api.db.selectFrom('job').select('payload').where('id', '=', data.id).executeTakeFirstOrThrow();
    expect(JSON.stringify(waiting)).not.toMatch(/Secret|crew1/);
    await jobs.tick();
    const done = (await world.east.call(openingCalls.read, { id: data.id })).data;
    expect(done).toMatchObject({ state: 'done', total: 2000, success: 1580, fail: 420, report: true });
    expect(done.errors).toHaveLength(100);
    expect(await count()).toBe(before + 1580);
    expect(await billOf(data.id)).toMatchObject({ count: 1580, income: '15800.00' });
    expect(await checkLedger(api.db)).toMatchObject({ balanced: true });
    const report = await (await download(`user/opening/report/${data.id}?format=csv`)).text();
    expect(report.trim().split('\r\n')).toHaveLength(421);
    const stored = await api.db.selectFrom('job').select(['payload', 'result']).where('id', '=', data.id).executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain('Secret');
    const log = await api.db.selectFrom('syslog').selectAll().where('content_zh', 'like', '导入用户%成功 1580%').executeTakeFirstOrThrow();
    expect(log.content_zh).toBe('导入用户（Ship）：成功 1580，失败 420');
  });
});

describe('a date in an import file', () => {
  it.each([
    ['2030-12-31', '2030-12-31T15:59:59Z'],
    ['2030/1/2', '2030-01-02T15:59:59Z'],
    ['2030年1月2日', '2030-01-02T15:59:59Z'],
    ['2030.01.02', '2030-01-02T15:59:59Z'],
    ['2030-01-02 08:00:00', '2030-01-02T15:59:59Z'],
    // Excel serial day number.
    ['47485', '2030-01-02T15:59:59Z'],
  ])('written as %s ends at %s', (cell, end) => {
    expect(dayIn(cell)).toBe(Date.parse(end) / 1000);
  });

  it.each(['2030-02-30', '20300101', '1893456000', 'soon', '30-12-2031'])('cannot be written as %s', (cell) => {
    expect(typeof dayIn(cell)).toBe('string');
  });
});
