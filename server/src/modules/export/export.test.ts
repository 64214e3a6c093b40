import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { exportInput, exportState } from '@farlink/contract/export/export.ts';
import { endpoint, operateKey } from '@farlink/contract/kit/endpoint.ts';
import { bool, choice, int, link, money, tags, text, time } from '@farlink/contract/kit/field.ts';
import { resource } from '@farlink/contract/kit/resource.ts';
import type { Lang } from '@farlink/contract/kit/text.ts';
import { type FastifyInstance, fastify } from 'fastify';
import { type Expression, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type ServiceDeps, serviceDeps } from '../../../test/setup/service-deps.ts';
import { unzip } from '../../../test/setup/unzip.ts';
import { type ExportBuilder, exportJobs } from '../../kit/export/export-job.ts';
import { requestExport } from '../../kit/export/export-task.ts';
import { fail } from '../../kit/fail.ts';
import { openFileStore } from '../../kit/files/open-file-store.ts';
import { bind, serve } from '../../kit/http/serve.ts';
import { cleanupJobs, retention } from '../../kit/jobs/cleanup.ts';
import { enqueue } from '../../kit/jobs/job.ts';
import { leaseS } from '../../kit/jobs/job-lease.ts';
import { type JobRunner, startJobs } from '../../kit/jobs/job-runner.ts';
import { exportBindings } from './index.ts';

const gadget = resource({
  fields: {
    name: link(['名称', 'Name'], { sort: true }),
    size: int(['数量', 'Quantity'], { sort: true }),
    price: money(['价格', 'Price']),
    on: bool(['启用', 'Enabled']),
    state: choice(['状态', 'State'], exportState.options),
    made_at: time(['时间', 'Made at']),
    marks: tags(['标签', 'Tags']),
    secret: text(['密', 'Secret']),
  },
  title: ['name'],
  columns: ['name', 'size', 'price', 'on', 'state', 'made_at', 'marks'],
  filters: ['name', 'size'],
  orderby: 'name asc',
});
const call = endpoint({
  method: 'POST',
  path: 'gadget/export',
  kind: 'export',
  module: 'log',
  access: 'session',
  summary: ['导出', 'Export'],
  resource: gadget,
  input: exportInput,
});

let service: ServiceDeps;
let app: FastifyInstance;
let token: string;
let build: ExportBuilder;
const running: JobRunner[] = [];
const met = new Set<number>();

const rows = (count: number): Expression<unknown> =>
  sql`(select g as id, 'g' || lpad(g::text, 5, '0') as name, g as size, (g * -1.5)::numeric(12, 2) as price, g % 2 = 0 as on, g % 11 as state,
    1767196805 + g as made_at, array['a', 'b'] as marks, 'hidden' as secret from generate_series(1, ${count}) as g)`;
const source =
  (query: Expression<unknown>): ExportBuilder =>
  () => ({ query, resource: gadget });

beforeAll(async () => {
  service = await serviceDeps();
  token = await service.logIn(service.me);
  app = fastify();
  serve(app, service.deps, [
    ...exportBindings,
    bind(call, async (ctx, input) => {
      await requestExport(ctx, { call, title: ['设备: 全部', 'Gadgets'], format: input.format, input });
    }),
  ]);
  await service.deps.pool.query(`
    create table seen (task bigint, state int, at bigint generated always as identity);
    create function see() returns trigger language plpgsql as $$ begin insert into seen values (new.id, new.state); return new; end $$;
    create trigger see after insert or update of state on export_task for each row execute function see();`);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((r) => r.stop()));
  const { rows: states } = await service.deps.pool.query<{ state: number }>('select distinct state from seen');
  for (const { state } of states) met.add(state);
  await service.deps.pool.query('truncate export_task, job, seen cascade');
  rmSync(join(service.deps.config.dataDir, 'files'), { recursive: true, force: true });
});
afterAll(async () => {
  await app.close();
  await service.close();
});

const api = async (method: 'GET' | 'POST' | 'DELETE', path: string, query: Record<string, string> = {}, as = token) => {
  const input = method === 'POST' ? { payload: query } : { query };
  return app.inject({ method, url: `/agt/v1/${path}`, ...input, headers: { authorization: as } });
};
const list = async (lang: Lang = 'zh', as = token) => (await api('GET', 'export', { lang }, as)).json().data.list;
const request = async (builder: ExportBuilder, query: Record<string, string> = {}) => {
  build = builder;
  const { code } = (await api('POST', 'gadget/export', query)).json();
  expect(code).toBe(0);
  const [task] = await list();
  return Number(task.id);
};
const runner = () => {
  const kinds = { ...exportJobs({ [operateKey(call)]: (...all) => build(...all) }), ...cleanupJobs };
  const made = startJobs(service.deps, kinds, { pollMs: 0, graceMs: 50, beatMs: 60_000 });
  running.push(made);
  return made;
};
/** Runs to the end, retries included. */
const work = async (attempts = 3) => {
  const one = runner();
  for (let i = 0; i < attempts; i++) {
    await one.tick();
    service.clock.advance(100);
  }
};
const taskOf = (id: number) => service.deps.db.selectFrom('export_task').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const statesOf = async (id: number) =>
  (await service.deps.pool.query<{ state: number }>('select state from seen where task = $1 order by at', [id])).rows.map((r) => r.state);
const filesIn = (folder: string) =>
  existsSync(join(service.deps.config.dataDir, folder))
    ? readdirSync(join(service.deps.config.dataDir, folder), { recursive: true, withFileTypes: true })
        .filter((f) => f.isFile())
        .map((f) => f.name)
    : [];

test('an export passes the states 0, 2, 4, 6, 8 and 1, and its requester downloads the file', async () => {
  const id = await request(source(rows(1200)));
  expect(await list()).toMatchObject([{ id, title: '设备: 全部', state: 0, progress: 0 }]);
  await work();
  expect(await statesOf(id)).toEqual([0, 2, 4, 6, 8, 1]);
  const [task] = await list('en');
  expect(task).toMatchObject({ title: 'Gadgets', state: 1, progress: 100, row_count: 1200, message: null });
  expect(task.file_name).toMatch(/^设备_全部-\d{8}-\d{6}\.csv$/);
  const file = await api('GET', `export/download/${id}`);
  expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(file.headers['content-disposition']).toContain(encodeURIComponent(task.file_name));
  expect(file.rawPayload).toHaveLength(task.file_size);
  const lines = file.body.split('\r\n');
  expect(lines.slice(0, 3)).toEqual([
    '\ufeff名称,数量,价格,启用,状态,时间（UTC+8）,标签',
    'g00001,1,-1.50,否,导出成功,2026-01-01 00:00:06,a、b',
    'g00002,2,-3.00,是,导出中,2026-01-01 00:00:07,a、b',
  ]);
  expect(lines).toHaveLength(1202);
  expect(file.body).not.toContain('hidden');
  expect(filesIn('tmp')).toEqual([]);
});

test('the header and the values of an XLSX file are in the language of the request', async () => {
  const id = await request(source(rows(2)), { lang: 'en', format: 'xlsx' });
  await work();
  const file = await api('GET', `export/download/${id}`);
  expect(file.headers['content-type']).toContain('spreadsheetml');
  const path = join(service.deps.config.dataDir, 'got.xlsx');
  writeFileSync(path, file.rawPayload);
  const sheet = unzip(path)['xl/worksheets/sheet1.xml'] ?? '';
  const texts = [...sheet.matchAll(/<(?:t xml:space="preserve"|v)>([^<]*)</g)].map((m) => m[1]);
  expect(texts.slice(0, 14)).toEqual([
    'Name',
    'Quantity',
    'Price',
    'Enabled',
    'State',
    'Made at (UTC+8)',
    'Tags',
    'g00001',
    '1',
    '-1.50',
    'No',
    'Succeeded',
    '2026-01-01 00:00:06',
    'a, b',
  ]);
});

test('an export has the filters and the order of the list', async () => {
  const id = await request(source(rows(50)), { name: 'g0000', size: '7', cond_size: 'gt', orderby: 'size desc' });
  await work();
  const lines = (await api('GET', `export/download/${id}`)).body.split('\r\n');
  expect(lines.slice(1, -1).map((l) => l.split(',')[0])).toEqual(['g00009', 'g00008']);
});

test('a column that is not sortable is refused as order when the export is requested', async () => {
  const refused = await api('POST', 'gadget/export', { orderby: 'price desc' });
  expect(refused.json()).toMatchObject({ code: 10001, data: { fields: { orderby: '排序字段无效' } } });
});

test('an export without rows ends in state 10, without a file', async () => {
  const id = await request(source(rows(0)));
  await work();
  expect(await statesOf(id)).toEqual([0, 2, 4, 10]);
  expect(await taskOf(id)).toMatchObject({ row_count: 0, progress: 100, file_key: null });
  expect((await api('GET', `export/download/${id}`)).json().code).toBe(20303);
  expect(filesIn('files')).toEqual([]);
});

test('a refusal before the query ends in state 3, at once and with its message', async () => {
  const id = await request(() => {
    throw fail('denied');
  });
  await work(1);
  expect(await statesOf(id)).toEqual([0, 2, 3]);
  expect((await list('en'))[0]).toMatchObject({ message: 'You do not have permission to access, please contact the administrator' });
});

test('a query whose rows cannot be counted ends in state 5, after three attempts', async () => {
  const id = await request(source(sql`(select g as id, 'x' as name from generate_series(1, 9) g where 1 / (g - 5) >= 0)`));
  await work();
  expect(await statesOf(id)).toEqual([0, 2, 4, 2, 4, 2, 4, 5]);
  expect((await list())[0].message).toMatch(/^系统错误，编号 job-\d+$/);
});

test('a row that cannot be read ends in state 7, and leaves no partial file', async () => {
  const id = await request(source(sql`(select g as id, 'x' as name, 1 / (g - 4000) as size from generate_series(1, 5000) g)`));
  await work();
  expect((await statesOf(id)).slice(-3)).toEqual([4, 6, 7]);
  expect([filesIn('tmp'), filesIn('files')]).toEqual([[], []]);
});

test('a file store that refuses the file ends in state 9', async () => {
  writeFileSync(join(service.deps.config.dataDir, 'files'), 'a file instead of the folder');
  const id = await request(source(rows(3)));
  await work();
  expect((await statesOf(id)).slice(-3)).toEqual([6, 8, 9]);
  expect(filesIn('tmp')).toEqual([]);
});

test('a temporary failure is not reported: the next attempt succeeds', async () => {
  let tries = 0;
  const id = await request(() => {
    if (++tries < 3) throw new Error('the network blinked');
    return { query: rows(1), resource: gadget };
  });
  await work();
  expect(await statesOf(id)).toEqual([0, 2, 2, 2, 4, 6, 8, 1]);
});

test('an account that was disabled or deleted gets no file', async () => {
  const other = await service.addOperator('leaver');
  const theirs = await service.logIn(other);
  build = source(rows(3));
  await api('POST', 'gadget/export', {}, theirs);
  await service.deps.db.updateTable('customer').set({ status: 0 }).where('id', '=', other.uid).execute();
  await work(1);
  expect(await list('en', theirs)).toMatchObject([{ state: 3, message: 'The account is disabled' }]);

  await api('POST', 'gadget/export', {}, theirs);
  await service.deps.db.deleteFrom('customer').where('id', '=', other.uid).execute();
  await work(1);
  const states = await service.deps.db.selectFrom('export_task').select(['state', 'customer_id']).orderBy('id').execute();
  expect(states).toEqual([
    { state: 3, customer_id: null },
    { state: 3, customer_id: null },
  ]);
  expect(filesIn('files')).toEqual([]);
});

test('the builder receives the rights and the language of the requester', async () => {
  let seen: unknown;
  await request(
    (_, owner) => {
      seen = owner;
      return { query: rows(1), resource: gadget };
    },
    { lang: 'en' },
  );
  await work(1);
  expect(seen).toEqual({ me: service.me, lang: 'en' });
});

test('an operator cannot see, download or remove the exports of another one', async () => {
  const id = await request(source(rows(1)));
  await work(1);
  const stranger = await service.logIn(await service.addOperator('stranger'));
  expect(await list('zh', stranger)).toEqual([]);
  expect((await api('GET', `export/download/${id}`, {}, stranger)).statusCode).toBe(404);
  expect((await api('DELETE', `export/${id}`, {}, stranger)).statusCode).toBe(404);
  expect((await api('GET', `export/download/${id}`)).statusCode).toBe(200);
});

test('a waiting export can be cancelled and then never runs', async () => {
  const id = await request(source(rows(1)));
  expect((await api('GET', `export/download/${id}`)).json().code).toBe(20303);
  expect((await api('DELETE', `export/${id}`)).json().code).toBe(0);
  await work(1);
  expect(await statesOf(id)).toEqual([0, 3]);
  expect((await list())[0]).toMatchObject({ state: 3, message: '已取消' });
});

test('a running export can be cancelled and leaves no file', async () => {
  const reached = Promise.withResolvers<void>();
  const hold = Promise.withResolvers<void>();
  const id = await request(async () => {
    reached.resolve();
    await hold.promise;
    return { query: rows(20_000), resource: gadget };
  });
  const worked = runner().tick();
  await reached.promise;
  expect((await api('DELETE', `export/${id}`)).json().code).toBe(0);
  hold.resolve();
  await worked;
  expect(await statesOf(id)).toEqual([0, 2, 3]);
  expect([filesIn('tmp'), filesIn('files')]).toEqual([[], []]);
  expect(await service.deps.db.selectFrom('job').select('state').where('kind', '!=', 'housekeeping').execute()).toEqual([
    { state: 'cancelled' },
  ]);
});

test('a cancellation during the upload takes effect, and the uploaded file is deleted', async () => {
  const id = await request(source(rows(10)));
  await service.deps.pool.query(`
    create function cancel_late() returns trigger language plpgsql as $$ begin
      update job set cancel_requested = true where id = new.job_id; update export_task set state = 3 where id = new.id; return new; end $$;
    create trigger cancel_late after update of state on export_task for each row when (new.state = 8) execute function cancel_late();`);
  await work(1);
  await service.deps.pool.query('drop trigger cancel_late on export_task');
  expect((await taskOf(id)).state).toBe(3);
  expect([filesIn('tmp'), filesIn('files')]).toEqual([[], []]);
});

test('a finished export is removed with its file', async () => {
  const id = await request(source(rows(1)));
  await work(1);
  expect(filesIn('files')).toHaveLength(1);
  expect((await api('DELETE', `export/${id}`)).json().code).toBe(0);
  expect(await list()).toEqual([]);
  await work(1);
  expect(filesIn('files')).toEqual([]);
});

test('the request and the removal of an export are in the operator log', async () => {
  const id = await request(source(rows(1)), { name: 'g' });
  await work(1);
  await api('DELETE', `export/${id}`);
  const entries = await service.deps.db
    .selectFrom('syslog')
    .select(['action', 'content_en', 'after'])
    .orderBy('id', 'desc')
    .limit(2)
    .execute();
  expect(entries).toEqual([
    { action: 'delete', content_en: 'Removed the export of Gadgets', after: null },
    { action: 'export', content_en: 'Exported Gadgets', after: { format: 'csv', name: 'g' } },
  ]);
});

test('an export whose process died during the upload restarts, and its first file is deleted', async () => {
  const id = await request(source(rows(5)));
  const job = await service.deps.db.selectFrom('job').select('id').executeTakeFirstOrThrow();
  const stale = join(service.deps.config.dataDir, 'files', 'export');
  await service.deps.db
    .updateTable('job')
    .set({ state: 'running', owner: crypto.randomUUID(), lease_until: service.clock.now() + leaseS, attempts: 1 })
    .where('id', '=', job.id)
    .execute();
  await service.deps.db.updateTable('export_task').set({ state: 8, file_key: 'export/stale.csv' }).where('id', '=', id).execute();
  await openFileStore(service.deps.config).put('export/stale.csv', Readable.from(['half']), 4);
  expect(readdirSync(stale)).toEqual(['stale.csv']);
  service.clock.advance(leaseS + 1);
  await work(1);
  expect((await taskOf(id)).state).toBe(1);
  expect(existsSync(join(stale, 'stale.csv'))).toBe(false);
  expect(filesIn('files')).toHaveLength(1);
});

test('several job runners create one file for one export', async () => {
  await request(source(rows(2000)));
  await Promise.all([runner().tick(), runner().tick(), runner().tick()]);
  expect(filesIn('files')).toHaveLength(1);
});

test('a file is deleted after seven days, and its entry stays in the list', async () => {
  const id = await request(source(rows(1)));
  await work(1);
  const sweep = async () => {
    await enqueue(service.deps.db, service.clock.now(), { kind: 'housekeeping' });
    await work(1);
  };
  service.clock.advance(retention.exportFile - 300);
  await sweep();
  expect(filesIn('files')).toHaveLength(1);
  service.clock.advance(300);
  await sweep();
  expect(filesIn('files')).toEqual([]);
  expect((await list('en'))[0]).toMatchObject({ id, state: 1, message: 'The file was removed after 7 days' });
  expect((await api('GET', `export/download/${id}`)).statusCode).toBe(404);
});

test('the tests above cover all eleven states', () => {
  expect([...met].toSorted((a, b) => a - b)).toEqual(exportState.options.map((o) => o.id).toSorted((a, b) => a - b));
});
