import { logCalls } from '@farlink/contract/log/operator-log.ts';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { openDatabase } from '../../server/src/db/connect.ts';
import type { Database } from '../../server/src/db/tables.ts';
import { sessionInfoOf } from '../../server/src/domain/rights.ts';
import { pageOf } from '../../server/src/kit/page.ts';
import { ownLog } from '../../server/src/modules/log/operator-log.ts';
import { type Measured, measure, measureBoth, table } from './measure.ts';
import { openStage, startServer } from './stage.ts';

/** The operator log of one VNO: a list with filters, a sort, a capped count. */
const pages = {
  'first page': { query: 'limit=20', filters: {} },
  'page 40': { query: 'limit=20&page=40', filters: {} },
  'contains search': { query: 'limit=20&content=a1b2c', filters: { content: 'a1b2c' } },
  'choice and account': { query: 'limit=20&result=fail&username=admin', filters: { result: 'fail', username: 'admin' } },
} as const;

const fill = async (url: string, rows: number) => {
  const pool = new Pool({ connectionString: url });
  await pool.query(
    `insert into syslog (agent_id, customer_id, username, name, module, action, content_zh, content_en, result, ip, user_agent, create_at)
     select 1, 1, (array['admin','ops','care','audit'])[1 + g % 4], 'Operator', 'permission', 'update', '修改账号 ' || left(md5(g::text), 8), 'Changed account ' || left(md5(g::text), 8),
       case when g % 20 = 0 then 'fail' else 'success' end, '10.0.' || g % 256 || '.' || g % 251, 'bench', extract(epoch from now())::bigint - $1 + g
     from generate_series(1, $1::int) g`,
    [rows],
  );
  await pool.query('vacuum analyze syslog');
  await pool.end();
};

/** The statements that one request of the list sends, as the driver gets them. */
const statementsOf = async (url: string, page: (typeof pages)[keyof typeof pages]) => {
  const { pool, db } = await openDatabase(url);
  const me = await sessionInfoOf(db, 1, null);
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const logged = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) });
  const paging = new URLSearchParams(page.query);
  const input = { page: Number(paging.get('page') ?? 1), limit: 20, filters: page.filters };
  await pageOf(logged, logCalls.own, input, ownLog(logged, { me, lang: 'zh' }));
  await logged.destroy();
  return sent;
};

const sizes = [10_000, 1_000_000];

export const benchList = async () => {
  const stage = await openStage();
  const admin = new Pool({ connectionString: stage.url });
  const seen = new Map<string, Measured>();
  try {
    for (const rows of sizes) {
      const name = `bench_${rows}`;
      await admin.query(`create database ${name}`);
      const url = stage.urlOf(name);
      const server = await startServer(url, stage.folder, { DEMO: 'off', LOG_LEVEL: 'error' });
      await fill(url, rows);
      for (const [title, page] of Object.entries(pages)) {
        const statements = await statementsOf(url, page);
        const pool = new Pool({ connectionString: url, max: 16 });
        const [api, limit] = await measureBoth(
          async () => void (await server.get(`syslog?lang=zh&${page.query}`)),
          async () => void (await Promise.all(statements.map(({ sql, parameters }) => pool.query(sql, [...parameters])))),
        );
        await pool.end();
        seen.set(`${rows} ${title}`, api);
        const small = seen.get(`${sizes[0]} ${title}`) ?? api;
        table(`${rows.toLocaleString('en')} rows, ${title}`, [
          ['API requests/s', api.perSecond.toFixed(0)],
          ['same SQL, bare driver/s', limit.perSecond.toFixed(0)],
          ['ratio', (api.perSecond / limit.perSecond).toFixed(2), 'target >= 0.60'],
          ['API p95 ms', api.p95.toFixed(1)],
          ...(rows > (sizes[0] ?? 0) ? [['p95 growth', `${(api.p95 / small.p95).toFixed(2)}x`, 'target <= 1.30x'] as const] : []),
        ]);
      }
      const before = server.residentMb();
      await measure(async () => {
        await server.get('syslog?lang=zh&limit=100');
      }, 8);
      table('memory of the server', [
        ['after the pages above', `${before.toFixed(0)} MB`],
        ['after 8 more seconds of load', `${server.residentMb().toFixed(0)} MB`],
      ]);
      await server.stop();
    }
  } finally {
    await admin.end();
    await stage.close();
  }
};
