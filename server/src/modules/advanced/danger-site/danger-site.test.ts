import { monitorEventLoopDelay } from 'node:perf_hooks';
import { dangerSiteCalls as calls } from '@farlink/contract/advanced/danger-site.ts';
import { errors } from '@farlink/contract/errors.ts';
import { limits } from '@farlink/contract/limits.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Caller, fieldsOf, grantsOf, inputOf, startApi } from '../../../../test/api.ts';
import { runs } from '../../../../test/soak.ts';
import { uploadFile } from '../../../../test/upload.ts';
import { makeBranches, makeRole, makeStaff } from '../../../../test/world.ts';
import { type JobRunner, startJobs } from '../../../kit/jobs/job-runner.ts';
import { dangerImportJobs } from './import-job.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let admin: Caller;
let jobs: JobRunner;
let creator: string;

beforeAll(async () => {
  api = await startApi({ PUBLIC_URL: 'https://console.farlink.test' });
  world = await makeBranches(api);
  ({ admin } = world);
  creator = (await api.db.selectFrom('customer').select('name').where('username', '=', 'admin').executeTakeFirstOrThrow()).name;
  jobs = startJobs(api.deps, dangerImportJobs, { pollMs: 0, beatMs: 60_000 });
});
afterAll(async () => {
  await jobs.stop();
  await api.close();
});
afterEach(async () => {
  await api.db.deleteFrom('danger_site').execute();
});

const input = (domain: string, more: Record<string, unknown> = {}) => ({ domain, kind: 'fraud', status: 1, remark: '', ...more });
const create = async (domain: string, more: Record<string, unknown> = {}) => {
  const reply = await admin.call(calls.create, input(domain, more));
  expect(reply, JSON.stringify(reply)).toMatchObject({ code: 0 });
  return reply.data.id;
};
const listed = async (more: Record<string, unknown> = {}, by = admin) =>
  (await by.call(calls.list, { page: 1, limit: 50, ...more })).data.list;
const namesIn = async (more: Record<string, unknown> = {}) => (await listed(more)).map(({ domain }) => domain).sort();
const lastLog = () =>
  api.db.selectFrom('syslog').selectAll().where('module', '=', 'advanced').orderBy('id', 'desc').limit(1).executeTakeFirstOrThrow();
const listCount = async () => (await admin.call(calls.state)).data.count;
const test = async (domain: string, by = admin) => (await by.call(calls.test, { domain })).data;

describe('a dangerous website', () => {
  it('is created, changed and deleted, each with an entry in the operator log', async () => {
    const id = await create('https://Casino.Example.COM:8443/login?x=1', { kind: 'gambling', remark: '举报' });
    expect(await listed()).toMatchObject([
      {
        id,
        domain: 'casino.example.com',
        kind: 'gambling',
        hit_count: 0,
        status: 1,
        remark: '举报',
        creator,
        version: 1,
      },
    ]);
    expect(await lastLog()).toMatchObject({
      content_en: 'Created dangerous website casino.example.com',
      after: { domain: 'casino.example.com', kind: 'gambling', status: 1, remark: '举报' },
    });
    const change = (more: Record<string, unknown>) =>
      admin.call(calls.update, { id, version: 1, ...input('casino.example.com', { kind: 'gambling', remark: '举报' }), ...more });
    expect((await change({})).code).toBe(errors.unchanged.code);
    expect((await change({ domain: 'HTTP://CASINO.example.com./' })).code).toBe(errors.unchanged.code);
    expect((await change({ status: 0 })).code).toBe(0);
    expect(await lastLog()).toMatchObject({ before: { status: 1 }, after: { status: 0 } });
    expect((await change({ status: 1 })).code).toBe(errors.stale.code);
    expect(await listCount()).toBe(0);
    expect((await change({ version: 2, domain: 'dice.example.com' })).code).toBe(0);
    expect(await namesIn()).toEqual(['dice.example.com']);
    expect((await admin.call(calls.remove, { id })).code).toBe(0);
    expect(await lastLog()).toMatchObject({
      content_en: 'Deleted dangerous website dice.example.com',
      before: { domain: 'dice.example.com', kind: 'gambling', status: 1, remark: '举报' },
    });
    expect((await admin.call(calls.remove, { id })).code).toBe(errors.not_found.code);
    expect(await listed()).toEqual([]);
  });

  it('cannot be listed twice, in any notation of its domain', async () => {
    await create('赌博.example.com');
    for (const typed of ['赌博.example.com', 'XN--9KR716K.example.com', 'https://赌博。example.com/a', '*.赌博.example.com']) {
      const reply = await admin.call(calls.create, input(typed));
      expect(reply.code).toBe(errors.duplicate.code);
      expect(fieldsOf(reply)).toEqual({ domain: '网址已存在' });
    }
    expect(await namesIn()).toEqual(['赌博.example.com']);
    const other = await create('other.example.com');
    const reply = await admin.call(calls.update, { id: other, version: 1, ...input('赌博.example.com') });
    expect(fieldsOf(reply)).toEqual({ domain: '网址已存在' });
  });

  it('is refused at the invalid field, with the reason', async () => {
    const refused = async (typed: string, lang = 'zh') => fieldsOf(await admin.call(calls.create, { ...input(typed), lang })).domain;
    expect(await refused('localhost')).toBe('不能是内网地址或本地名称');
    expect(await refused('com.cn', 'en')).toBe('"com.cn" is a public suffix. It would block all sites below it.');
    expect(await refused('[::1]', 'en')).toBe('IPv6 addresses are not supported. Enter a domain name.');
    expect(await refused('farlink.test', 'en')).toBe('"console.farlink.test" is in use by the platform or a VNO and cannot be blocked');
    await api.db
      .insertInto('domain')
      .values({ agent_id: world.eastId, domain_type: 'portal', domain: 'wifi.ship.example', create_at: 1, update_at: 1 })
      .onConflict((oc) => oc.columns(['agent_id', 'domain_type']).doUpdateSet({ domain: 'wifi.ship.example' }))
      .execute();
    expect(await refused('ship.example', 'en')).toContain('"wifi.ship.example" is in use');
    expect(fieldsOf(await admin.call(calls.create, input('a.example.com', { remark: 'x'.repeat(513) })))).toHaveProperty('remark');
    expect(fieldsOf(await admin.call(calls.create, input('a.example.com', { remark: `it's` })))).toHaveProperty('remark');
    expect(fieldsOf(await admin.call(calls.create, input('a.example.com', { kind: 'spam' })))).toHaveProperty('kind');
    expect(await listed()).toEqual([]);
  });

  it('can be filtered by each filter field and sorted', async () => {
    await create('casino.example.com', { kind: 'gambling' });
    await create('赌博.example.net', { kind: 'gambling', status: 0 });
    await create('virus.example.org', { kind: 'malware' });
    await api.db.updateTable('danger_site').set({ hit_count: 7 }).where('ascii', '=', 'virus.example.org').execute();
    expect(await namesIn({ domain: 'Example.' })).toHaveLength(3);
    expect(await namesIn({ domain: '赌博' })).toEqual(['赌博.example.net']);
    expect(await namesIn({ domain: 'xn--9kr716k.example.net' })).toEqual(['赌博.example.net']);
    expect(await namesIn({ domain: 'https://Casino.example.com/login' })).toEqual(['casino.example.com']);
    expect(await namesIn({ kind: 'gambling' })).toEqual(['casino.example.com', '赌博.example.net']);
    expect(await namesIn({ status: 0 })).toEqual(['赌博.example.net']);
    expect(await namesIn({ creator: creator.slice(0, 3), kind: 'malware' })).toEqual(['virus.example.org']);
    expect(await namesIn({ create_at_start: api.clock.now() + 10 })).toEqual([]);
    expect((await listed({ orderby: 'hit_count desc' }))[0]?.domain).toBe('virus.example.org');
    expect((await listed({ orderby: 'domain asc' }))[0]?.domain).toBe('casino.example.com');
  });

  it('is deleted in a batch; a missing row does not stop the others', async () => {
    const ids = [await create('a.example.com'), await create('b.example.com'), await create('c.example.com')];
    const reply = await admin.call(calls.removeMany, { ids: [ids[0], 999_999, ids[1]].join(',') });
    expect(reply.data).toMatchObject({ success: 2, fail: 1 });
    expect(reply.data.list.find(({ id }) => id === 999_999)).toMatchObject({ success: false });
    expect(await namesIn()).toEqual(['c.example.com']);
    expect(await listCount()).toBe(1);
  });

  it('is refused when the list is full, but can be stored disabled', async () => {
    await sql`update danger_list set count = ${limits.dangerSites}`.execute(api.db);
    expect(fieldsOf(await admin.call(calls.create, input('a.example.com')))).toHaveProperty('status');
    const id = await create('a.example.com', { status: 0 });
    expect(fieldsOf(await admin.call(calls.update, { id, version: 1, ...input('a.example.com') }))).toHaveProperty('status');
    await sql`update danger_list set count = 0`.execute(api.db);
  });
});

describe('the test of a domain', () => {
  it('returns the most specific enabled entry, or else a disabled one', async () => {
    await create('example.com', { kind: 'other' });
    await create('bad.example.com', { kind: 'fraud' });
    await create('worse.bad.example.com', { status: 0 });
    await create('off.example.net', { status: 0 });
    expect(await test('https://www.bad.example.com/path')).toMatchObject({
      host: 'www.bad.example.com',
      is_blocked: true,
      entry: { domain: 'bad.example.com', kind: 'fraud', status: 1 },
    });
    expect(await test('worse.bad.example.com')).toMatchObject({ is_blocked: true, entry: { domain: 'bad.example.com' } });
    expect(await test('off.example.net')).toMatchObject({ is_blocked: false, entry: { domain: 'off.example.net', status: 0 } });
    expect(await test('notexample.com')).toEqual({ host: 'notexample.com', is_blocked: false, entry: null });
    expect(fieldsOf(await admin.call(calls.test, { domain: 'not a domain' }))).toHaveProperty('domain');
  });
});

describe('rights', () => {
  it('exist only on the platform: a VNO is denied, staff need the page, staff with a limited scope can only read', async () => {
    await create('casino.example.com');
    for (const call of Object.values(calls))
      expect((await world.east.call(call, { id: 1, ids: '1', page: 1, limit: 10, ...input('x.example.com') })).code, call.path).toBe(
        errors.denied.code,
      );
    await makeStaff(admin, 'no_page', await makeRole(admin, '无权', grantsOf(['system_log'])));
    expect((await (await api.login('no_page')).call(calls.list, { page: 1, limit: 10 })).code).toBe(errors.denied.code);
    await makeStaff(admin, 'guard', await makeRole(admin, '安全员', grantsOf(['danger_site'])));
    const guard = await api.login('guard');
    expect((await guard.call(calls.create, input('dice.example.com'))).code).toBe(0);
    await makeStaff(admin, 'reader', await makeRole(admin, '只读', grantsOf(['danger_site'], '10')));
    const reader = await api.login('reader');
    expect(await test('www.dice.example.com', reader)).toMatchObject({ is_blocked: true });
    expect((await reader.call(calls.create, input('y.example.com'))).code).toBe(errors.denied.code);
    const scope = { scope: 'vno', vno_limit: 'specified', vno_ids: [world.eastId] };
    await makeStaff(admin, 'limited', await makeRole(admin, '东区', grantsOf(['danger_site']), scope));
    const limited = await api.login('limited');
    expect(await listed({}, limited)).toHaveLength(2);
    for (const call of [calls.create, calls.removeMany, calls.remove, calls.update])
      expect((await limited.call(call, inputOf(call, { id: 1, ids: '1', version: 1, ...input('z.example.com') }))).code).toBe(
        errors.denied.code,
      );
  });
});

describe('lists on gateways', () => {
  it('show the state of each gateway in the scope', async () => {
    await create('casino.example.com');
    const { rows } = await sql<{
      rev: number;
      digest: string;
    }>`select rev, lpad(to_hex(digest), 14, '0') as digest from danger_list`.execute(api.db);
    const { rev, digest } = rows[0] ?? { rev: 0, digest: '' };
    const made = async (name: string, caps: string[], sync?: Record<string, unknown>, agent_id = world.eastId) => {
      const { id } = await api.db
        .insertInto('device')
        .values({ agent_id, name, sn: name, caps, boot: 'abcd0001', online_state: 1, create_at: 1 })
        .returning('id')
        .executeTakeFirstOrThrow();
      if (sync)
        await api.db
          .insertInto('danger_sync')
          .values({ device_id: id, ...sync })
          .execute();
    };
    await made('G-APPLIED', ['danger'], { acked: rev, digest, count: 1, acked_at: 5 });
    await made('G-DIFFERS', ['danger'], { acked: rev, digest: '0123456789abcd', odd_digest: '0123456789abcd' });
    await made('G-SENT', ['danger'], { acked: 0, sent: rev });
    await made('G-WAITS', ['danger'], undefined, world.westId);
    await made('G-OLD', []);
    const states = async (by: Caller, more = {}) =>
      (await by.call(calls.gateways, { page: 1, limit: 50, ...more })).data.list.map(({ sn, list_state, revision }) => [
        sn,
        list_state,
        revision,
      ]);
    const all = [
      ['G-APPLIED', 'applied', rev],
      ['G-DIFFERS', 'failed', rev],
      ['G-OLD', 'unsupported', null],
      ['G-SENT', 'sent', 0],
      ['G-WAITS', 'waiting', null],
    ];
    expect(await states(admin)).toEqual(all);
    for (const row of all) expect(await states(admin, { list_state: row[1] })).toEqual([row]);
    expect((await admin.call(calls.state)).data).toEqual({
      rev,
      count: 1,
      import_id: null,
      gateways: { applied: 1, sent: 1, waiting: 1, failed: 1, unsupported: 1 },
    });
    const limited = await api.login('limited');
    expect((await states(limited)).map(([sn]) => sn)).not.toContain('G-WAITS');
    expect((await limited.call(calls.state)).data.gateways.waiting).toBe(0);
  });
});

describe('an import', () => {
  const header = '网址*,类别,状态,备注\r\n';
  const send = (text: string, by = admin) => uploadFile(api, by, calls.import, Buffer.from(`\ufeff${text}`), 'sites.csv');
  const finished = async (id: number) => {
    await jobs.tick();
    return (await admin.call(calls.imported, { id })).data;
  };

  it('adds valid rows and reports the others by line, value and reason', async () => {
    await create('old.example.com');
    const lines = [
      'https://New.example.com/a,涉赌,启用,一',
      '赌博.example.com,,,',
      'new.example.com,fraud,0,',
      'old.example.com,涉诈,,',
      'not a domain,,,',
      'x.example.com,垃圾,,',
      'farlink.test,,,',
      'off.example.com,malware,禁用,',
    ];
    const reply = await send(header + lines.join('\r\n'));
    expect(reply.code, JSON.stringify(reply)).toBe(0);
    const result = await finished(reply.data.id);
    expect(result).toMatchObject({ state: 'done', total: 8, success: 3, fail: 5, message: null });
    expect(result.errors.map(({ line, value, message }) => [line, value, message])).toEqual([
      [4, 'new.example.com', '与第2行重复'],
      [5, 'old.example.com', '已在名单中'],
      [6, 'not a domain', '网址：域名格式不正确'],
      [7, 'x.example.com', expect.stringContaining('类别：')],
      [8, 'farlink.test', '平台或VNO正在使用“console.farlink.test”，不能拦截'],
    ]);
    expect(await listed({ orderby: 'domain asc' })).toMatchObject([
      { domain: 'new.example.com', kind: 'gambling', status: 1, remark: '一', creator },
      { domain: 'off.example.com', kind: 'malware', status: 0, remark: null },
      { domain: 'old.example.com' },
      { domain: '赌博.example.com', kind: 'other', status: 1 },
    ]);
    expect(await listCount()).toBe(3);
    expect((await admin.call(calls.state)).data.import_id).toBe(reply.data.id);
    expect((await (await api.login('guard')).call(calls.state)).data.import_id).toBeNull();
    expect(await lastLog()).toMatchObject({ content_en: 'Import of dangerous websites: 3 added, 5 failed', after: { success: 3 } });
    const { payload } = await api.db.selectFrom('job').select('payload').where('id', '=', reply.data.id).executeTakeFirstOrThrow();
    expect(payload).toEqual({ total: 8 });
  });

  it('has a report that can be corrected and imported again', async () => {
    const { data } = await send(`${header}bad domain,涉赌,,说明\r\nfine.example.com,,,`);
    await finished(data.id);
    const get = (path: string, by = admin) =>
      fetch(`${api.base}/agt/v1/${path}&lang=en&uid=${by.session?.uid}`, { headers: { authorization: by.session?.token ?? '' } });
    const report = await (await get(`website/blacklist/import/${data.id}/report?format=csv`)).text();
    expect(report).toContain('Domain,Kind,Status,Remark,Reason');
    expect(report).toContain('bad domain,涉赌,,说明,Domain: Not a valid domain name');
    const again = await send(report.replace('bad domain', 'better.example.com').replace('\ufeff', ''));
    expect(await finished(again.data.id)).toMatchObject({ success: 1, fail: 0 });
    expect((await admin.call(calls.report, { id: again.data.id })).code).toBe(errors.export_empty.code);
    const guard = await api.login('guard');
    expect((await guard.call(calls.imported, { id: data.id })).code).toBe(errors.not_found.code);
    expect((await guard.call(calls.report, { id: data.id })).code).toBe(errors.not_found.code);
    expect((await get('website/blacklist/template?')).headers.get('content-disposition')).toContain('danger-site-template.xlsx');
  });

  it('refuses a file that is not the template, and limited staff', async () => {
    expect(fieldsOf(await send('Foo,Bar\r\n1,2'))).toHaveProperty('file');
    expect(fieldsOf(await send('类别\r\n涉赌'))).toHaveProperty('file');
    expect(fieldsOf(await send(header))).toHaveProperty('file');
    expect((await send(`${header}a.example.com,,,`, await api.login('limited'))).code).toBe(errors.denied.code);
  });

  it('of many rows does not block other requests', { tags: 'all', timeout: 240_000 }, async () => {
    const count = runs(limits.dangerImportRows, 20_000);
    const lines = Array.from({ length: count }, (_, i) => `site${i}.example.com,,,`);
    const text = header + lines.join('\r\n');
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const pauses: number[] = [];
    const lap = () => {
      pauses.push(Math.round(delay.max / 1e6));
      delay.reset();
      return performance.now();
    };
    const start = lap();
    const { data } = await send(text);
    const sent = lap();
    const imported = finished(data.id);
    let isOver = false;
    let replyCount = 0;
    void imported.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await test('casino.example.com');
      replyCount++;
    }
    const result = await imported;
    const end = lap();
    delay.disable();
    const reading = Math.round(sent - start);
    const importing = Math.round(end - sent);
    console.info(
      `${count} rows: read in ${reading} ms, imported in ${importing} ms, longest pauses ${pauses.slice(1).join(' and ')} ms, ${replyCount} requests meanwhile`,
    );
    expect(replyCount).toBeGreaterThan(runs(50, 10));
    expect(result).toMatchObject({ state: 'done', success: count, fail: 0 });
    expect(await listCount()).toBe(count);
    const tooMany = 'a.example.com\r\n'.repeat(limits.dangerImportRows + 1);
    expect(fieldsOf(await send(header + tooMany))).toEqual({ file: expect.stringContaining(String(limits.dangerImportRows)) });
    await sql`truncate danger_site, danger_hash`.execute(api.db);
    await sql`update danger_list set count = 0, digest = 0`.execute(api.db);
  });
});
