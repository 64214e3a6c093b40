import { exportCalls } from '@farlink/contract/export/export.ts';
import { userCalls as calls } from '@farlink/contract/user/user.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, type Caller, startApi } from '../../../test/api.ts';
import { type BillingFixture, makeBillingFixture } from '../../../test/billing-fixture.ts';
import { makeBranches } from '../../../test/world.ts';
import { sealedIdNumber } from '../../domain/subscriber/insert-subscribers.ts';
import { exportJobs } from '../../kit/export/export-job.ts';
import { startJobs } from '../../kit/jobs/job-runner.ts';
import { userExports } from './export-users.ts';

let api: Api;
let world: Awaited<ReturnType<typeof makeBranches>>;
let billing: BillingFixture;
const idNumber = '11010519491231002X';
beforeAll(async () => {
  api = await startApi();
  world = await makeBranches(api);
  billing = await makeBillingFixture(api, world.eastId, 'East');
});
afterAll(() => api.close());

const fetchFile = async (by: Caller, path: string, query: Record<string, string> = {}) => {
  const url = new URL(`${api.base}/agt/v1/${path}`);
  url.search = new URLSearchParams({ lang: 'zh', ...query }).toString();
  const response = await fetch(url, { headers: { authorization: by.session?.token ?? '' } });
  return { type: response.headers.get('content-type'), name: response.headers.get('content-disposition'), body: await response.text() };
};
const secret = () => ({ phone: '13812340001', ...sealedIdNumber(api.deps.config.secretKey, idNumber) });

it('selected accounts are downloaded as a masked file, without accounts of other VNOs', async () => {
  const a = await billing.makeAccount({ account: 'pick_a', name: '=1+1', ...secret() });
  const b = await billing.makeAccount({ account: 'pick_b' });
  const foreign = await (await makeBillingFixture(api, world.westId, 'West')).makeAccount({ account: 'west_c' });
  const ids = [a.id, b.id, foreign.id].join(',');
  const file = await fetchFile(world.east, 'user/export/part', { ids });
  expect(file.type).toBe('text/csv; charset=utf-8');
  expect(file.name).toContain('.csv');
  const lines = file.body.split('\r\n');
  const fact = (title: string) => lines[1]?.split(',')[lines[0]?.replace('\ufeff', '').split(',').indexOf(title) ?? -1];
  const titles = ['上网账号', '姓名', '手机号', '证件类型', '证件号码'];
  expect(titles.map(fact)).toEqual(['pick_a', "'=1+1", '138****0001', '居民身份证', '110105********002X']);
  expect(lines[0]).toContain('到期时间（UTC+8）');
  expect(lines).toHaveLength(4);
  expect(file.body).not.toMatch(/west_c|13812340001|19491231/);
  const sheet = await fetchFile(world.east, 'user/export/part', { ids, format: 'xlsx', lang: 'en' });
  expect(sheet.type).toContain('spreadsheetml');
  expect(sheet.body.slice(0, 2)).toBe('PK');
  expect(JSON.parse((await fetchFile(world.west, 'user/export/part', { ids: String(a.id) })).body)).toMatchObject({
    code: 20301,
    msg: '没有可导出的数据',
  });
  const log = await api.db.selectFrom('syslog').selectAll().where('action', '=', 'export').orderBy('id').executeTakeFirstOrThrow();
  expect(log.content_zh).toBe('导出所选用户 2 个');
});

it('filtered accounts are exported in the background, masked, and the filtered ID number is not stored in plain text', async () => {
  await billing.makeAccount({ account: 'export_me', online_count: 1, ...secret() });
  expect((await world.west.call(calls.exportAll, { account: 'export_me' })).code).toBe(20301);
  const { code, data } = await world.east.call(calls.exportAll, { format: 'csv', id_number: idNumber, online_state: 1 });
  expect(code).toBe(0);
  const task = await api.db.selectFrom('export_task').selectAll().where('id', '=', data.id).executeTakeFirstOrThrow();
  const log = await api.db.selectFrom('syslog').selectAll().where('content_zh', '=', '导出用户').executeTakeFirstOrThrow();
  expect(JSON.stringify([task.payload, log.after])).not.toContain('19491231');
  const jobs = startJobs(api.deps, exportJobs(userExports), { pollMs: 0 });
  await jobs.tick();
  await jobs.stop();
  expect((await world.east.call(calls.exports)).data.list).toMatchObject([{ id: data.id, state: 1, row_count: 1 }]);
  expect((await world.west.call(calls.exports)).data.total).toBe(0);
  const { body } = await fetchFile(world.east, exportCalls.download.path.replace('{id}', String(data.id)));
  expect(body.split('\r\n')[1]).toMatch(/^export_me,.*138\*\*\*\*0001,.*居民身份证,110105\*\*\*\*\*\*\*\*002X,/);
  expect(body).not.toMatch(/13812340001|19491231/);
});
