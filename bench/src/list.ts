import { limits } from '@farlink/contract/limits.ts';
import { Pool } from 'pg';
import { growthLines, measure, Turn, table, takeTurns } from './measure.ts';
import { openStage, type Stage, startServer } from './stage.ts';

interface Asked {
  readonly query: string;
  readonly where: string;
  readonly values?: readonly string[];
  readonly offset?: number;
}

/** The operator log of one VNO: a list with filters, a sort, a capped count. */
const pages: Readonly<Record<string, Asked>> = {
  'first page': { query: 'limit=20', where: 'true' },
  'page 40': { query: 'limit=20&page=40', where: 'true', offset: 780 },
  'contains search': { query: 'limit=20&content=a1b2c', where: 'content_zh ilike $2', values: ['%a1b2c%'] },
  'choice and account': {
    query: 'limit=20&result=fail&username=admin',
    where: 'result = $2 and username ilike $3',
    values: ['fail', '%admin%'],
  },
};

/** What the same page costs whoever asks the database for it by hand: its rows, and how many there are. */
const statementsOf = ({ where, offset = 0 }: Asked) => {
  const cap = 1 + (where === 'true' ? limits.countCap : limits.countCapFiltered);
  const found = `from syslog where agent_id = $1 and ${where}`;
  return [
    `select id, username, name, module, action, result, ip, user_agent, create_at, content_zh, message_zh ${found}
     order by create_at desc, id desc limit 20 offset ${offset}`,
    `select count(*)::int as n from (select ${found} limit ${cap}) as c`,
  ];
};

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

/** A server of its own on a database with so many lines of log. */
const openLog = async (stage: Stage, rows: number) => {
  const url = await stage.newDatabase(`bench_${rows}`);
  const server = await startServer(url, stage.folder, { DEMO: 'off', LOG_LEVEL: 'error' });
  await fill(url, rows);
  return { server, pool: new Pool({ connectionString: url, max: 16 }) };
};

export const benchList = async () => {
  const stage = await openStage();
  try {
    const small = await openLog(stage, 10_000);
    const large = await openLog(stage, 1_000_000);
    for (const [title, page] of Object.entries(pages)) {
      const statements = statementsOf(page);
      const ask =
        ({ server }: typeof small) =>
        async () =>
          void (await server.get(`syslog?lang=zh&${page.query}`));
      const byHand = async () => void (await Promise.all(statements.map((sql) => large.pool.query(sql, [1, ...(page.values ?? [])]))));
      const [api, hand] = [new Turn(ask(large)), new Turn(byHand)];
      await takeTurns([api, hand]);
      const [few, many] = [new Turn(ask(small), 1), new Turn(ask(large), 1)];
      await takeTurns([few, many]);
      table(`1,000,000 rows, ${title}`, [
        ['API requests/s, eight at a time', api.measured.perSecond.toFixed(0)],
        ['rows and count by hand, bare driver/s', hand.measured.perSecond.toFixed(0)],
        ['ratio', (api.measured.perSecond / hand.measured.perSecond).toFixed(2), 'target >= 0.60'],
        ...growthLines(few.measured, many.measured),
      ]);
    }
    const before = large.server.residentMb();
    await measure(async () => {
      await large.server.get('syslog?lang=zh&limit=100');
    }, 8);
    table('memory of the server', [
      ['after the pages above', `${before.toFixed(0)} MB`],
      ['after 8 more seconds of load', `${large.server.residentMb().toFixed(0)} MB`],
    ]);
    for (const { server, pool } of [small, large]) {
      await pool.end();
      await server.stop();
    }
  } finally {
    await stage.close();
  }
};
